/** The operator action that retries failed runs of a model, in one organisation. */
import { makeCredential } from "../../src/secrets/credentials.ts";
import { mintToken } from "../support/console.ts";
import { makeMember, setLimits } from "../support/database.ts";
import { failedRuns, leased, workplace } from "../support/hand-executor.ts";
import { ownOfficeOfFile } from "../support/post-office.ts";
import { type OperatorRetries, operatorRetries } from "./operator-retries.ts";

const office = ownOfficeOfFile({ worker: false });
let operator: OperatorRetries;
beforeAll(async () => {
  operator = await operatorRetries(office.db);
});

const workplaceHere = () => workplace(office, office.db.poolAs("runner"));
const retriesOf = (ids: string[]) => operator.retriesOf(ids);

test("preview counts the failed runs and retries none; retry retries each once, as its person would", async () => {
  const at = await workplaceHere();
  const { id } = at.who.organisation;
  const ids = await failedRuns(at, 3);
  const [{ name } = { name: "" }] = await office.db.sql<{ name: string }>(
    "select name from app.organisations where id = $1",
    [id],
  );
  const nothing = { retried: 0, left: 0, organisationsLeft: 0, organisations: [], done: [], refused: [] };
  expect(await operator.retry(at.model, "preview", { organisation: id })).toEqual({
    ...{ ...nothing, left: 3, organisationsLeft: 1, organisations: [{ id, name, left: 3 }] },
  });
  expect(await retriesOf(ids)).toEqual([]);
  expect(await operator.retry("another", "retry", { organisation: id })).toEqual(nothing);
  const before = { since: new Date(Date.now() - 120_000), until: new Date(Date.now() - 60_000) };
  expect(await operator.retry(at.model, "retry", { organisation: id, ...before })).toEqual(nothing);
  expect(await operator.retry(at.model, "retry", { organisation: id })).toEqual({
    ...{ ...nothing, retried: 3, done: [{ id, name, retried: 3 }] },
  });
  expect(await retriesOf(ids)).toEqual(ids);
  expect(await operator.retry(at.model, "retry", { organisation: id })).toMatchObject({ retried: 0, left: 0 });
  expect((await leased(at.executor)).message).toBe("Question 0");
  const log = await office.db.sql(
    "select arguments ->> 'mode' as mode from app.operator_actions where organisation_id = $1 order by id",
    [id],
  );
  expect(log.map(({ mode }) => mode)).toEqual(["preview", "retry", "retry", "retry", "retry"]);
});

test("retry stops at a limit of the organisation, and names the refusal and how many are left", async () => {
  const at = await workplaceHere();
  const { id } = at.who.organisation;
  const ids = await failedRuns(at, 3);
  await setLimits(office.db, id, { runStartsPerHour: 5 });
  expect(await operator.retry(at.model, "retry", { organisation: id })).toMatchObject({
    ...{ retried: 2, left: 1, done: [{ id, retried: 2 }] },
    refused: [{ id, code: "quota_exceeded", reason: "limit_run_starts" }],
  });
  expect(await retriesOf(ids)).toEqual(ids.slice(0, 2));
});

test("retry leaves out runs of a person who has left, and of a deleted bot", async () => {
  const at = await workplaceHere();
  const { id, ownerId } = at.who.organisation;
  await failedRuns(at, 1);
  expect(await operator.retry(at.model, "preview", { organisation: id })).toMatchObject({ left: 1 });
  await makeMember(office.db, id, "owner");
  await office.db.sql("delete from app.memberships where organisation_id = $1 and person_id = $2", [id, ownerId]);
  expect(await operator.retry(at.model, "preview", { organisation: id })).toMatchObject({ left: 0 });
  const other = await workplaceHere();
  await failedRuns(other, 1);
  await other.who.ask("DELETE", `/bots/${other.who.bot}`);
  const ofOther = { organisation: other.who.organisation.id };
  expect(await operator.retry(other.model, "preview", ofOther)).toMatchObject({ left: 0 });
});

test.each([
  ["of one organisation", true],
  ["of all organisations", false],
])("retry %s by a token of scope view, or of none, is refused", async (_, ofOne) => {
  const at = await workplaceHere();
  const view = await mintToken(office.db, "view");
  const client = await office.db.poolAs("operator", 1).connect();
  for (const [digest, message] of [
    [view.digest, "forbidden"],
    [makeCredential("bso").digest, "unauthenticated"],
  ] as const) {
    await client.query("begin");
    await client.query("select set_config('caller.operator_credential', $1, true)", [digest.toString("hex")]);
    const call = client.query("select operator.retry_runs($1, 'recall', now(), null, 'preview', 'x')", [
      ofOne ? at.who.organisation.id : null,
    ]);
    await expect(call).rejects.toMatchObject({ code: "OA001", message });
    await client.query("rollback");
  }
  client.release();
});
