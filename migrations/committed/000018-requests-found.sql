--! Previous: sha1:ca48a6a391912f3e6fe79a7c2743da72f369ed57
--! Hash: sha1:da18bab63a9f9f0eacb68faa55dd15ccb07ffa44
--! Message: requests-found

-- A request's id carries its time, and the trail is written in the order of times: what a request did is found by
-- summaries, as any id is.
create index audit_trail_by_request on app.audit_trail using brin (request_id) with (pages_per_range = 32, autosummarize = on);
