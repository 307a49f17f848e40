--! Previous: sha1:5a0a5932da94ddadc2eff004bdca23909b95401c
--! Hash: sha1:ea619e434ee9c3e00c202f3ff172735365d70647
--! Message: step-results

-- Results of keyed steps, so that the next executor of a run does not repeat them.

alter table app.steps
  add column key text,
  add column reused_at timestamptz(3);
comment on column app.steps.key is
  'The name of the step in its run, by which its result is found. Quotes no text. A step can occur again after an erasure.';

comment on column app.steps.reused_at is
  'When the result of the step was last passed to a later executor, which does not repeat the step. Null: never.';

create table app.step_results (
  organisation_id uuid,
  run_id uuid,
  key text check (char_length(key) between 1 and 200),
  conversation_id uuid not null,
  number integer not null check (number > 0),
  result jsonb,
  octets integer not null generated always as (coalesce(octet_length(result::text), 0)) stored check (octets <= 262144),
  memory_ids uuid[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  primary key (organisation_id, run_id, key),
  foreign key (organisation_id, conversation_id, run_id) references app.runs (organisation_id, conversation_id, id)
) partition by range (run_id);
create index step_results_of_conversation on app.step_results (organisation_id, conversation_id);
create index step_results_citing on app.step_results using gin (memory_ids) with (fastupdate = off)
  where memory_ids <> '{}';
comment on table app.step_results is
  'What keyed steps of a run returned, for the next executor of the run. Lies in the week of its run, as steps do.';
comment on column app.step_results.number is 'The number of the step in the run.';
comment on column app.step_results.result is 'Text of the run. Null: the step has no result, and its key says that it is done.';
comment on column app.step_results.memory_ids is 'The memories on which the result draws. An erasure of one deletes all results of the run.';

-- A week for each week of steps: a run of it may be open. Attached as jobs.make_week does.
do $$
declare
  leaf record;
begin
  for leaf in
    select replace(class.relname, 'steps_', 'step_results_') as name, pg_get_expr(class.relpartbound, class.oid) as bounds
    from pg_catalog.pg_inherits inheritance
    join pg_catalog.pg_class class on class.oid = inheritance.inhrelid
    where inheritance.inhparent = 'app.steps'::regclass
  loop
    execute format(
      'create table partitions.%I (like app.step_results including defaults including constraints including generated including storage)',
      leaf.name
    );
    execute format('alter table app.step_results attach partition partitions.%I %s', leaf.name, leaf.bounds);
  end loop;
end
$$;
