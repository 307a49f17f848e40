/** Changes of rows that a policy lets the caller read and not write: no operation answers as if it had written. */
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { readDocument } from "../contract/document.ts";
import { makeContractFixture } from "../contract/fixture.ts";
import { watchWrites } from "../contract/write-watch.ts";
import { ownApiOfFile } from "../support/callers.ts";

const here = ownApiOfFile();

const { operations } = readDocument(openApiDocument(""));
const changes = operations.filter(
  ({ method, path, platform }) =>
    method !== "GET" &&
    !platform &&
    (path.includes("{") || path === "/organisation" || path.startsWith("/audit/stream")),
);
/** Operations that policies for writing do not decide. */
const others: Record<string, string> = {
  receive_hook: "has no key",
  create_audit_stream: "adds a stream",
  test_webhook: "adds a delivery",
  resend_approval: "adds a mail",
  recover_webhook: "answers how many deliveries it recovers",
  resume_run: "runs.resume checks the person itself",
  retry_run: "runs.retry_own checks the person itself",
};

/** Lets no operation update or delete a row, or lock it. */
const closeTables = () =>
  here.db.sql(`do $$
    declare stored text;
    begin
      for stored in select format('%I.%I', schemaname, tablename) from pg_policies
        where schemaname = 'app' and cmd in ('UPDATE', 'DELETE', 'ALL') and tablename <> 'idempotency_records' group by 1
      loop
        execute format('create policy closed_to_updates on %s as restrictive for update to tenant using (false)', stored);
        execute format('create policy closed_to_deletes on %s as restrictive for delete to tenant using (false)', stored);
      end loop;
    end
  $$`);

test("each change of a row that a policy hides from writing is refused, and nothing is written", async () => {
  const fixture = await makeContractFixture(here.db, here.api);
  const tried = changes.filter(({ id }) => !others[id]);
  for (const operation of tried) await fixture.prepare(operation);
  await closeTables();
  const written = await watchWrites(here.db);
  const accepted: string[] = [];
  for (const operation of tried) {
    const { status } = await fixture.send(operation);
    if (![403, 404, 409].includes(status)) accepted.push(`${operation.id} ${status}`);
  }
  expect(accepted).toEqual([]);
  expect((await written.since()).tables).toBeNull();
  const names = tried.map(({ id }) => id);
  expect(names).toEqual(expect.arrayContaining(["update_hook", "revoke_key", "cancel_run"]));
});
