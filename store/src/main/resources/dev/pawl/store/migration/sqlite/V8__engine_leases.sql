-- How long each renewal of a lease lasts, so that other engines can judge it by their own clocks; whether an engine wants its share.
alter table shard add column ttl_millis integer not null default 15000;
alter table engine add column ttl_millis integer not null default 15000;
alter table engine add column shares integer not null default 1;
