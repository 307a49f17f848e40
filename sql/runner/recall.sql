/*
 * What a bot may read: the organisation's claims, its own, and those of the person it is talking to, as long as they
 * are valid. A question is not a query: any of its words may be the one that a claim shares with it; the rank tells how
 * well it fits. A tainted run is not told what its person's own claims say: whoever fed it may be given its answer. (Part 2,
 * "Memory"; sql/search.)
 */
create function runner.recall(organisation uuid, run uuid, lease uuid, question text, at_most integer default 5)
returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the lease of this run; the claims of its bot and its person are asked for below.
declare
  working app.runs := runner.held(organisation, run, lease);
  spoken app.language;
begin
  select tenant.language into spoken from app.organisations tenant where tenant.id = organisation;
  return (
    select coalesce(json_agg(claim order by claim.rank desc, claim.id desc), '[]')
    from (
      select memory.id, memory.kind, memory.subject, memory.value, memory.confidence, found.rank
      from search.claims(
          spoken, question, array[working.bot_id], case when not working.taint then working.person_id end,
          '{"current": "true"}', rows.time(now()), null, at_most
        ) found
      -- Looked up one by one, however many the planner takes to be found.
      cross join lateral (
        select held.* from app.memories held where held.organisation_id = organisation and held.id = found.id limit 1
      ) memory
    ) claim
  );
end
$$;
comment on function runner.recall is 'Instead of row-level security: the lease of the run, its bot and its person. Answers claims, best first.';
