/** The operator action that retries failed runs of a model. */
import { makeCredential } from "../../src/secrets/credentials.ts";
import { mintToken } from "../support/console.ts";
import { makeMember, setLimits } from "../support/database.ts";
import { leased, type Workplace, workplace } from "../support/hand-executor.ts";
import { ownOfficeOfFile } from "../support/post-office.ts";

const office = ownOfficeOfFile({ worker: false });

type Result = { retried: number; left: number; refusal: string | null };

let token: Awaited<ReturnType<typeof mintToken>>;
beforeAll(async () => {
  token = await mintToken(office.db, "act");
});

async function retryRuns(
  { who }: Workplace,
  model: string,
  mode: "preview" | "retry",
  [since, until]: [string, string | null] = [new Date(Date.now() - 60_000).toISOString(), null],
): Promise<Result> {
  const operator = await office.db.poolAs("operator", 1).connect();
  try {
    await operator.query("begin");
    await operator.query("select set_config('caller.operator_credential', $1, true)", [token.digest.toString("hex")]);
    const { rows } = await operator.query(
      "select operator.retry_runs($1, $2, $3, $4, $5, 'The model was away') as result",
      [who.organisation.id, model, since, until, mode],
    );
    await operator.query("commit");
    return rows[0].result;
  } finally {
    operator.release(true);
  }
}

/** Runs of a bot of the model that failed; returns their ids. */
async function failedRuns({ who, executor }: Workplace, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let run = 0; run < count; run += 1) {
    ids.push(await who.run(`Question ${run}`));
    await executor.fail(await leased(executor));
  }
  return ids;
}

const retriesOf = (ids: string[]) =>
  office.db.sql<{ retry_of: string }>("select retry_of from app.runs where retry_of = any ($1) order by id", [ids]);

test("preview counts the failed runs and retries none; retry retries each once, as its person would", async () => {
  const at = await workplace(office, office.db.poolAs("runner"));
  const ids = await failedRuns(at, 3);
  expect(await retryRuns(at, at.model, "preview")).toEqual({ retried: 0, left: 3, refusal: null });
  expect(await retriesOf(ids)).toEqual([]);
  expect(await retryRuns(at, "another", "retry")).toEqual({ retried: 0, left: 0, refusal: null });
  const before: [string, string] = [
    new Date(Date.now() - 120_000).toISOString(),
    new Date(Date.now() - 60_000).toISOString(),
  ];
  expect(await retryRuns(at, at.model, "retry", before)).toMatchObject({ retried: 0, left: 0 });
  expect(await retryRuns(at, at.model, "retry")).toEqual({ retried: 3, left: 0, refusal: null });
  expect((await retriesOf(ids)).map(({ retry_of }) => retry_of)).toEqual(ids);
  expect(await retryRuns(at, at.model, "retry")).toMatchObject({ retried: 0, left: 0 });
  expect((await leased(at.executor)).message).toBe("Question 0");
  const log = await office.db.sql(
    "select arguments ->> 'mode' as mode from app.operator_actions where organisation_id = $1 order by id",
    [at.who.organisation.id],
  );
  expect(log.map(({ mode }) => mode)).toEqual(["preview", "retry", "retry", "retry", "retry"]);
});

test("retry stops at a limit of the organisation, and names the refusal and how many are left", async () => {
  const at = await workplace(office, office.db.poolAs("runner"));
  const ids = await failedRuns(at, 3);
  await setLimits(office.db, at.who.organisation.id, { runStartsPerHour: 5 });
  expect(await retryRuns(at, at.model, "retry")).toEqual({ retried: 2, left: 1, refusal: "quota_exceeded" });
  expect(await retriesOf(ids)).toHaveLength(2);
});

test("retry leaves out runs of a person who has left, and of a deleted bot", async () => {
  const at = await workplace(office, office.db.poolAs("runner"));
  await failedRuns(at, 1);
  expect(await retryRuns(at, at.model, "preview")).toMatchObject({ left: 1 });
  await makeMember(office.db, at.who.organisation.id, "owner");
  await office.db.sql("delete from app.memberships where organisation_id = $1 and person_id = $2", [
    at.who.organisation.id,
    at.who.organisation.ownerId,
  ]);
  expect(await retryRuns(at, at.model, "preview")).toMatchObject({ left: 0 });
  const other = await workplace(office, office.db.poolAs("runner"));
  await failedRuns(other, 1);
  await other.who.ask("DELETE", `/bots/${other.who.bot}`);
  expect(await retryRuns(other, other.model, "preview")).toMatchObject({ left: 0 });
});

test("retry by a token of scope view is refused", async () => {
  const at = await workplace(office, office.db.poolAs("runner"));
  const view = await mintToken(office.db, "view");
  const operator = await office.db.poolAs("operator", 1).connect();
  for (const digest of [view.digest, makeCredential("bso").digest]) {
    await operator.query("begin");
    await operator.query("select set_config('caller.operator_credential', $1, true)", [digest.toString("hex")]);
    const call = operator.query("select operator.retry_runs($1, 'recall', now(), null, 'preview', 'x')", [
      at.who.organisation.id,
    ]);
    await expect(call).rejects.toMatchObject({ code: "OA001" });
    await operator.query("rollback");
  }
  operator.release();
});
