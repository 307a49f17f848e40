--! Previous: sha1:1977db9bbaa52ea85d5480a6372a5b5aa336b60f
--! Hash: sha1:ca48a6a391912f3e6fe79a7c2743da72f369ed57
--! Message: traceparents

-- Which trace a run was started in, where traces are kept.

alter table app.runs
  add column traceparent text check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$');
comment on column app.runs.traceparent is 'W3C Trace Context of the request that started it: what is done for the run, and its deliveries, go on from there.';
