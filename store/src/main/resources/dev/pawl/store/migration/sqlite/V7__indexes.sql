-- Upwards, although it is read downwards: what is added at the end of an index fills its pages, what is added at its beginning
-- leaves each half empty. Workflows of one instant are put in order when they are read.
drop index workflow_newest;
create index workflow_newest on workflow (namespace, created_at);
