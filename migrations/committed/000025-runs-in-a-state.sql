--! Previous: sha1:ebfcdbd3612562cd4bec90619862a6519b4103f8
--! Hash: sha1:d241201832fb919b44977758d63fc0d7215c8426
--! Message: runs-in-a-state

-- Runs in one state, newest first, as scripts ask for them again and again. Behind a policy a state is looked up by no index that
-- has it as a column (sql/api/runs.sql), so each of those that are rare has an index of its own; these two had none. What is
-- queued is sorted: by its id alone it would be offered to whoever looks for the next run of a conversation.
-- Writes to runs wait while they are built.
create index runs_waiting on app.runs (organisation_id, id) where state = 'waiting_approval';
create index runs_cancelled on app.runs (organisation_id, id) where state = 'cancelled';
