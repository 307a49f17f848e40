/** The operator action that retries failed runs of a model, in all organisations. */
import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { mintToken, testConsole } from "../support/console.ts";
import { makeOrganisation, noteModels, setLimits } from "../support/database.ts";
import { failedRuns, type Workplace, workplace } from "../support/hand-executor.ts";
import { ownOfficeOfFile } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";
import { mutation } from "./operator-action-cases.ts";
import { type OperatorRetries, operatorRetries } from "./operator-retries.ts";

const office = ownOfficeOfFile({ worker: false });
let operator: OperatorRetries;
beforeAll(async () => {
  operator = await operatorRetries(office.db);
});

/** Organisations whose bots have one model, each with an executor for it. */
async function workplaces(count: number): Promise<{ model: string; places: Workplace[] }> {
  const model = `hand-${randomUUID()}`;
  const places: Workplace[] = [];
  for (let place = 0; place < count; place += 1) {
    const at = await workplace(office, office.db.poolAs("runner"), model);
    await setLimits(office.db, at.who.organisation.id, { runStartsPerHour: 1_000 });
    places.push(at);
  }
  return { model, places };
}

const idOf = ({ who }: Workplace) => who.organisation.id;

/** Failed runs that began at these times before now, in seconds. Returns their ids. */
async function failedAt({ who }: Workplace, ages: number[]): Promise<string[]> {
  const rows = await office.db.sql<{ id: string }>(
    `with conversation as (
       insert into app.conversations (organisation_id, bot_id, person_id) values ($1, $2, $3)
       on conflict (organisation_id, bot_id, person_id) do update set person_id = excluded.person_id returning id
     ), run as (
       insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, error, finished_at)
       select $1, uuidv7(-age * interval '1 second'), $2, conversation.id, $3, 'api', 'failed', 'internal', now()
       from conversation, unnest($4::integer[]) age
       returning organisation_id, id, conversation_id
     ), message as (
       insert into app.messages (organisation_id, conversation_id, run_id, author, text)
       select organisation_id, conversation_id, id, 'person', 'Hello?' from run
     )
     select id from run order by id`,
    [who.organisation.id, who.bot, who.organisation.ownerId, ages],
  );
  return rows.map(({ id }) => id);
}

const hours = () => ({ since: new Date(Date.now() - 3_600_000) });

/** Waits until a session waits for this one. */
const untilBlocked = async (client: PoolClient) => {
  const { rows } = await client.query("select pg_backend_pid() as pid");
  await eventually(async () => {
    const waiting = await office.db.sql("select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))", [
      rows[0].pid,
    ]);
    return waiting.length > 0;
  });
};

async function committed(client: PoolClient): Promise<void> {
  await client.query("commit");
  client.release();
}

test("preview counts the failed runs of each organisation, ordered by the newest run, and changes none", async () => {
  const { model, places } = await workplaces(3);
  const [first, second, without] = places as [Workplace, Workplace, Workplace];
  const ids = [...(await failedRuns(first, 2)), ...(await failedRuns(second, 1)), ...(await failedRuns(first, 1))];
  const preview = await operator.retry(model, "preview");
  expect(preview).toMatchObject({ retried: 0, left: 4, organisationsLeft: 2, done: [], refused: [] });
  expect(preview.organisations.map(({ id, left }) => [id, left])).toEqual([
    [idOf(first), 3],
    [idOf(second), 1],
  ]);
  expect(await operator.retriesOf(ids)).toEqual([]);
  const actions = "select from app.operator_actions where organisation_id = any ($1)";
  expect(await office.db.sql(actions, [[first, second, without].map(idOf)])).toEqual([]);
  const log = await office.db.sql(
    "select operator, action, arguments ->> 'mode' as mode, reason from app.operator_commands where arguments ->> 'model' = $1",
    [model],
  );
  expect(log).toEqual([{ operator: "Otto act", action: "retry_runs", mode: "preview", reason: "The model was away" }]);
});

test("preview lists 50 organisations, and counts all", async () => {
  const model = `hand-${randomUUID()}`;
  await noteModels(office.db, model);
  for (let number = 0; number < 51; number += 1) {
    const organisation = await makeOrganisation(office.db);
    const [bot] = await office.db.sql<{ id: string }>(
      "insert into app.bots (organisation_id, name, owner_id, model) values ($1, 'Ada', $2, $3) returning id",
      [organisation.id, organisation.ownerId, model],
    );
    await failedAt({ who: { organisation, bot: bot?.id } } as Workplace, [60 + number, 120 + number]);
  }
  const { organisations, ...counts } = await operator.retry(model, "preview", hours());
  expect(counts).toMatchObject({ left: 102, organisationsLeft: 51 });
  expect(organisations).toHaveLength(50);
});

test("a refused organisation does not stop the others, and each has its own log entry", async () => {
  const { model, places } = await workplaces(3);
  const [limited, unpaid, other] = places as [Workplace, Workplace, Workplace];
  const ids: string[][] = [];
  for (const at of places) ids.push(await failedRuns(at, 2));
  await setLimits(office.db, idOf(limited), { runStartsPerHour: 3 });
  await office.db.sql("update app.organisations set billing_state = 'none' where id = $1", [idOf(unpaid)]);
  const result = await operator.retry(model, "retry");
  expect(result).toMatchObject({ retried: 3, left: 3, organisationsLeft: 2 });
  expect(result.done.map(({ id, retried }) => [id, retried])).toEqual([
    [idOf(limited), 1],
    [idOf(other), 2],
  ]);
  expect(result.refused.map(({ id, code, reason }) => [id, code, reason])).toEqual([
    [idOf(limited), "quota_exceeded", "limit_run_starts"],
    [idOf(unpaid), "payment_required", "billing_inactive"],
  ]);
  expect(await operator.retriesOf(ids[1] ?? [])).toEqual([]);
  for (const at of places) {
    const actions = await office.db.sql(
      "select action, operator, reason from app.operator_actions where organisation_id = $1",
      [idOf(at)],
    );
    expect(actions).toEqual([{ action: "retry_runs", operator: "Otto act", reason: "The model was away" }]);
  }
});

test("the audit log of an organisation has its retries with the operator, and nothing of other organisations", async () => {
  const { model, places } = await workplaces(3);
  const failed = new Map<string, string[]>();
  for (const at of places) failed.set(idOf(at), await failedRuns(at, 2));
  await operator.retry(model, "retry");
  for (const at of places) {
    const entries = await office.db.sql<{ retried: string; operator: string; reason: string; actor: string }>(
      `select after ->> 'retryOf' as retried, operator, reason, actor from app.audit_log
       where organisation_id = $1 and after ->> 'retryOf' is not null order by sequence`,
      [idOf(at)],
    );
    const named = { operator: "Otto act", reason: "The model was away", actor: "operator" };
    expect(entries).toEqual((failed.get(idOf(at)) ?? []).map((retried) => ({ retried, ...named })));
    const [all] = await office.db.sql<{ text: string }>(
      `select concat(
         (select json_agg(entry) from app.audit_log entry where organisation_id = $1),
         (select json_agg(action) from app.operator_actions action where organisation_id = $1)
       ) as text`,
      [idOf(at)],
    );
    for (const [id, runs] of failed)
      for (const foreign of id === idOf(at) ? [] : [id, ...runs]) expect(all?.text).not.toContain(foreign);
    const log = (await at.who.ask("GET", "/audit?limit=200")).text;
    for (const other of places) if (other !== at) expect(log).not.toContain(idOf(other));
  }
  expect(await office.db.sql("select * from audit.findings where rule like '%chain%'")).toEqual([]);
});

test("a call retries at most 100 runs, the oldest of all organisations first", async () => {
  const { model, places } = await workplaces(2);
  const [one, other] = places as [Workplace, Workplace];
  const evens = Array.from({ length: 70 }, (_, number) => 600 - 2 * number);
  const ids = [
    ...(await failedAt(one, evens)),
    ...(await failedAt(
      other,
      evens.map((age) => age - 1),
    )),
  ].toSorted();
  expect(await operator.retry(model, "retry", hours())).toMatchObject({ retried: 100, left: 40, refused: [] });
  expect((await operator.retriesOf(ids)).toSorted()).toEqual(ids.slice(0, 100));
  expect(await operator.retry(model, "retry", hours())).toMatchObject({ retried: 40, left: 0 });
  expect((await operator.retriesOf(ids)).toSorted()).toEqual(ids);
  expect(await operator.retry(model, "retry", hours())).toMatchObject({ retried: 0, left: 0, done: [], refused: [] });
});

test("older runs of a refused organisation do not keep a call from the others", async () => {
  const { model, places } = await workplaces(2);
  const [unpaid, other] = places as [Workplace, Workplace];
  await office.db.sql("update app.organisations set billing_state = 'none' where id = $1", [idOf(unpaid)]);
  await failedAt(
    unpaid,
    Array.from({ length: 101 }, (_, number) => 600 - number),
  );
  const ids = await failedAt(other, [20, 10]);
  expect(await operator.retry(model, "retry", hours())).toMatchObject({
    ...{ retried: 2, left: 101, done: [{ id: idOf(other), retried: 2 }] },
    refused: [{ id: idOf(unpaid), code: "payment_required" }],
  });
  expect(await operator.retriesOf(ids)).toEqual(ids);
});

test.each([
  ["of all organisations", "of all organisations", false, false],
  ["of all organisations", "of one", false, true],
  ["of one organisation", "of all", true, false],
  ["of one organisation", "of one", true, true],
])(
  "of two operators who retry at once, %s and %s, the second retries no run again",
  async (_one, _two, first, second) => {
    const { model, places } = await workplaces(2);
    const [at, other] = places as [Workplace, Workplace];
    const ids = await failedRuns(at, 2);
    await failedRuns(other, 1);
    const filter = (ofOne: boolean) => (ofOne ? { organisation: idOf(at) } : {});
    const begun = await operator.beginRetry(model, filter(first));
    const retried = operator.retry(model, "retry", filter(second));
    await untilBlocked(begun);
    await committed(begun);
    expect(await retried).toMatchObject({ retried: first && !second ? 1 : 0, left: first && second ? 0 : 0 });
    expect(await operator.retriesOf(ids)).toEqual(ids);
  },
);

test("many retries at once, of one and of all organisations, retry each run once", async () => {
  const { model, places } = await workplaces(3);
  const ids: string[] = [];
  for (const at of places) ids.push(...(await failedRuns(at, 4)));
  const calls = places.map((at) => operator.retry(model, "retry", { organisation: idOf(at) }));
  const results = await Promise.all([...calls, operator.retry(model, "retry"), operator.retry(model, "retry")]);
  expect(results.reduce((sum, { retried }) => sum + retried, 0)).toBe(ids.length);
  expect((await operator.retriesOf(ids)).toSorted()).toEqual(ids.toSorted());
});

const about = { metadata: { customer: "Nils" }, concurrencyKey: "Nils" };
const eraseCall = "erase_subject($1, 'third_party', 'Nils', 'Asked for')";

/** Runs that still name the erased subject. */
const naming = (at: Workplace) =>
  office.db.sql(
    `select run.id from app.runs run
     where run.organisation_id = $1 and (run.concurrency_key is not null or exists (
       select from app.run_metadata pair where pair.organisation_id = $1 and pair.run_id = run.id))`,
    [idOf(at)],
  );

test("a retry that waits for an erasure does not bring back what it erased", async () => {
  const { model, places } = await workplaces(1);
  const [at] = places as [Workplace];
  const ids = await failedRuns(at, 2, about);
  const erasure = await operator.begin(eraseCall, [idOf(at)]);
  const retried = operator.retry(model, "retry");
  await untilBlocked(erasure);
  await committed(erasure);
  expect(await retried).toMatchObject({ retried: 2 });
  expect(await operator.retriesOf(ids)).toEqual(ids);
  expect(await naming(at)).toEqual([]);
});

test("an erasure during a retry is not complete while a copy remains, and the next erases it", async () => {
  const { model, places } = await workplaces(1);
  const [at] = places as [Workplace];
  await failedRuns(at, 2, about);
  const begun = await operator.beginRetry(model);
  const erase = () => at.who.ask("POST", "/memories/erase", { subjectKind: "third_party", subject: "Nils" });
  const first = erase();
  await untilBlocked(begun);
  await committed(begun);
  const { body } = await first;
  expect(body.complete).toBe((await naming(at)).length === 0);
  if (!body.complete) expect((await erase()).body.complete).toBe(true);
  expect(await naming(at)).toEqual([]);
});

test("the mutation needs no organisation", async () => {
  const { model, places } = await workplaces(1);
  const [at] = places as [Workplace];
  await failedRuns(at, 1);
  const testServer = await testConsole(office.db);
  try {
    const { text } = await mintToken(office.db, "act");
    const since = new Date(Date.now() - 60_000).toISOString();
    const input = { model, since, mode: "retry", reason: "The model was away" };
    const { data, errors } = await testServer.ask(mutation("retryRuns"), text, { input });
    expect(errors).toBeUndefined();
    expect(data.retryRuns.result).toMatchObject({ retried: 1, left: 0, done: [{ id: idOf(at), retried: 1 }] });
  } finally {
    await testServer.stop();
  }
});
