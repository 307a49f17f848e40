/** No statement that a request depends on ignores how many rows it changed: row-level security hides rows without an error. */

import { type TestDatabase, testDatabase } from "../support/database.ts";
import { definitionFolders } from "../support/definition-folders.ts";
import { type FunctionSource, ignoredCounts, type Keys, type Lockers } from "../support/row-counts.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const functions = () =>
  db.sql<FunctionSource>(
    `select proc.oid::regproc::text as name, proc.prosrc as source,
       not proc.prosecdef and exists (
         select from aclexplode(coalesce(proc.proacl, acldefault('f', proc.proowner))) granted
         where granted.grantee <> proc.proowner
       ) as "underPolicies"
     from pg_proc proc
     where proc.pronamespace::regnamespace::text = any ($1)
     order by 1`,
    [definitionFolders],
  );

async function keys(): Promise<Keys> {
  const rows = await db.sql<{ name: string; columns: string[] }>(
    `select key.indrelid::regclass::text as name, array_agg(attribute.attname::text) as columns
     from pg_index key
     join pg_attribute attribute on attribute.attrelid = key.indrelid and attribute.attnum = any (key.indkey)
     where key.indisprimary and attribute.attname <> 'organisation_id'
     group by 1`,
  );
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]));
}

/** Statements for which no row is a good answer, each with the reason. */
const explained: Record<string, string> = {
  "api.end_own_portal_session: update app.portal_sessions": "a session that ended meanwhile has ended",
  "jobs.begin_deletion: delete from app.organisation_deletions": "the organisation may have no earlier receipt",
  "jobs.begin_step: update app.organisation_deletions": "its callers have locked the row",
  "jobs.end_step: update app.organisation_deletions": "its callers have locked the row",
  "jobs.count_deleted: update app.organisation_deletions": "jobs.delete_organisations has locked its row",
  "jobs.delete_people: update app.organisation_deletions": "jobs.delete_organisations has locked its row",
  "jobs.end_deletion: update app.organisation_deletions": "jobs.delete_organisations has locked its row",
  "jobs.prepare_deletion: update app.organisation_deletions": "jobs.delete_organisations has locked its row",
  "jobs.put_deletion_off: update app.organisation_deletions": "its callers name the row that they had locked",
  "jobs.renew_statistics: update app.organisation_deletions": "jobs.delete_organisations has locked its row",
  "jobs.search_part: update app.organisation_deletions": "jobs.delete_organisations has locked its row",
  "jobs.search_what_is_left: update app.organisation_deletions": "jobs.delete_organisations has locked its row",
  "erasure.erase_responses: update app.idempotency_records": "a response that is gone shows nothing",
  "jobs.link_approval: update app.approvals": "an erased approval has no link",
  "jobs.follow_clock_back: update app.audit_streams": "few streams wait, or none",
  "jobs.store_audit_stream: update app.audit_streams": "jobs.record_audit_part has locked the row",
  "jobs.record_mail: update app.mails": "a mail that was recorded is sent",
  "operator.admit: update app.operator_tokens": "noted once a minute",
  "operator.admit: update app.operator_sessions": "noted once a minute",
  "operator.disable_endpoint: update app.webhook_endpoints": "a disabled endpoint stays, and any other is not_found",
  "operator.lift_suspension: update app.organisations": "begin_action has found the organisation; nothing to lift",
  "operator.set_billing: update app.organisations": "begin_action has found the organisation, and none is deleted",
  "operator.suspend_organisation: update app.organisations":
    "begin_action has found the organisation; suspended already",
  "operator.open_session: delete from app.operator_sessions": "removes old sessions beside",
  "runner.deregister: delete from app.executors": "an executor without a row is deregistered",
  "triggers.tg_approvals__settle: update app.runs": "only a question has a run that waits",
  "api.revoke_own_key: update app.api_keys": "a key that was revoked before has ended",
  // The row was locked or written by the caller, or earlier in the same function.
  "api.exchange_authorization_code: update app.authorization_codes": "locked_code has locked it",
  "api_private.answer: update app.approvals": "approval_to_answer has locked it",
  "api.finish_export: delete from app.export_parts": "open_export has locked their export",
  "api.finish_export: update app.exports": "open_export has locked it",
  "api_private.store_part: update app.exports": "open_export has locked it",
  "api_private.start_hook_run: update app.hooks": "receive_hook has locked it",
  "jobs.await_executor: update app.routines": "lock_due_routine has locked it",
  "limits.consume: update app.request_counts": "counted by the statement before",
  "operator.create_demo: update app.organisations": "created by the statement before",
  "runner.fail_over_time: update app.runs": "leased_run has locked it",
  "triggers.tg_bots__end_work: update app.bots": "the row of the trigger",
  "triggers.tg_runs__add_spending: update app.runs": "a run that has ended needs no pause",
};

const lockers: Lockers = {
  "api_private.invitation_to_accept": "app.invitations",
  "api_private.lock_invitation_to_resend": "app.invitations",
  "runner.leased_run": "app.runs",
  "triggers.lock_chain_head": "app.audit_chain_heads",
};

test("each statement asks how many rows it changed, or has locked its row, or is explained", async () => {
  const ignored = ignoredCounts(await functions(), await keys(), lockers);
  expect([...new Set(ignored)].toSorted()).toEqual(Object.keys(explained).toSorted());
});

test("each function that locks a row for another function does", async () => {
  const sources = new Map((await functions()).map(({ name, source }) => [name, source]));
  for (const [name, table] of Object.entries(lockers)) {
    expect([name, sources.get(name)]).toEqual([
      name,
      expect.stringMatching(new RegExp(`from ${table}\\b[^;]* for (no key )?update`, "s")),
    ]);
  }
});

test.each([
  ["update app.hooks set state = 'paused' where id = wanted; return api.get_hook(input);", true, 1],
  ["update app.hooks set state = 'paused' where id = wanted; perform errors.require_row(found);", true, 0],
  ["update app.hooks set state = 'paused' where id = wanted; perform pg_notify(); return found;", true, 1],
  ["update app.hooks set name = name where id = wanted returning name into name_of; return name_of;", true, 0],
  ["update app.hooks set name = name where id = wanted returning id into changed; return input;", true, 1],
  ["select 1 from app.hooks where id = wanted for update; update app.hooks set name = '' where id = wanted;", true, 0],
  ["select 1 from app.bots where id = wanted for update; update app.hooks set name = '' where id = wanted;", true, 1],
  ["delete from app.hooks where bot_id = bot;", true, 1],
  ["delete from app.hooks where bot_id = bot;", false, 0],
  ["delete from app.hooks where organisation_id = ours and id = wanted;", false, 1],
  ["with gone as (delete from app.hooks where id = wanted returning id) select count(*) from gone;", true, 0],
  ["with gone as (delete from app.hooks where id = wanted returning id) select 1;", true, 1],
])("ignoredCounts reads %s", (source, underPolicies, count) => {
  const found = ignoredCounts([{ name: "api.careless", underPolicies, source }], { "app.hooks": ["id"] }, {});
  expect(found).toHaveLength(count);
});
