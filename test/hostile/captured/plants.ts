/** Faults to plant in both twins: each lets a captured executor read, write or launder what it must not. */
import { inFunction } from "../../support/planted.ts";

const ofTaint: [string, string] = ["if not working.taint then", "if true then"];
const secretsOf = "(select string_agg(text, ' ' order by text) from app.messages)";

export const plants: Record<string, string> = {
  "any lease of a running run is accepted": inFunction("runner.leased_run", ["and working.lease_id = lease\n", "\n"]),
  "renew checks no lease": inFunction("runner.renew", ["perform runner.leased_run(organisation, run, lease);", ""]),
  "messages of tainted runs are assigned": inFunction("runner.messages", [
    "and (message.run_id = run.id or not (run.taint or source.taint))",
    "",
  ]),
  "a tainted run finds memories of its person": inFunction("runner.search_memories", [
    "case when not working.taint then working.person_id end",
    "working.person_id",
  ]),
  "a search finds memories of all bots": inFunction("runner.search_memories", [
    "array[working.bot_id]",
    "array(select bots.id from app.bots where bots.organisation_id = organisation)",
  ]),
  "an assignment has results of other runs": inFunction(
    "runner.results",
    ["if run.steps = 0 then", "if false then"],
    ["and stored.run_id = run.id", ""],
  ),
  "an assignment has approvals of other runs": inFunction("runner.approvals", ["and approval.run_id = run.id", ""]),
  "an error quotes the row of another organisation": inFunction("runner.write_run", [
    "perform errors.refuse('not_found');",
    "raise exception using errcode = 'OA001', message = 'not_found', detail = (select bots.name || bots.instructions from app.bots where bots.id = (proposed ->> 'botId')::uuid);",
  ]),
  "a notice quotes messages": inFunction("runner.heartbeat", ["begin\n", `begin raise notice '%', ${secretsOf};\n`]),
  "a refusal depends on memories of others": inFunction("runner.write_memory", [
    "insert into app.memories (",
    "if exists (select from app.memories where memories.value = proposed ->> 'value' and memories.scope = 'member' and memories.member_id <> run.person_id) then perform errors.refuse('forbidden'); end if; insert into app.memories (",
  ]),
  "a shared channel carries results": inFunction("runner.keyed_step", [
    "return json_build_object('state', state",
    "perform pg_notify('botstead_runs', result::text); return json_build_object('state', state",
  ]),
  "the name of the secret channel is shown":
    "grant usage on schema service to executor; grant execute on function service.run_events_channel() to executor",
  "a table is open":
    "alter table app.messages disable row level security; grant usage on schema app to executor; grant select on app.messages to executor",
  "a failed run fails running runs of its organisation": inFunction("runner.fail", [
    "and runs.id = run;",
    "and (runs.id = run or runs.state = 'running');",
  ]),
  "a finished run deletes other messages": inFunction("runner.finish", [
    "insert into app.messages (",
    "delete from app.step_results where step_results.organisation_id = organisation and step_results.run_id <> run; insert into app.messages (",
  ]),
  "a tainted run writes a memory": inFunction("runner.propose_memory", ofTaint),
  "a tainted run starts a run": inFunction("runner.start_run", ofTaint),
};
