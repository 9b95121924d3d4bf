-- How long each renewal of a lease lasts, so that other engines can judge it by their own clocks; whether an engine wants its share.
alter table shard add column ttl_millis bigint not null default 15000;
alter table engine add column ttl_millis bigint not null default 15000;
alter table engine add column shares boolean not null default true;
