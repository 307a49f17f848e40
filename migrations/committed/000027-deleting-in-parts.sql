--! Previous: sha1:ab91a73d3373dc7039d6b12316c6e4a23878ea4e
--! Hash: sha1:f323e0201bacb2152d872ad53fbd47c89e046f93
--! Message: deleting-in-parts

-- A bot of which very many runs are open is deleted in parts, as what it was told is erased in parts.
alter table app.bots add column has_runs_left boolean not null default false;
comment on column app.bots.has_runs_left is 'It was deleted, and some of its runs are still to be cancelled. Nobody works on them any more.';
create index bots_with_runs_left on app.bots (organisation_id, id) where has_runs_left;

comment on column app.runs.paused_until is 'When it is asked whether the limit still holds: within a minute of the pause, and from then on at the beginning of the next month (UTC), when it counts anew. A raised limit ends the pause earlier.';
