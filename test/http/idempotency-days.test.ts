/**
 * Idempotent responses are stored in three daily partitions: found across midnight, and removed by truncating a day.
 * (docs/decisions/0008-ids-partitions-and-indexes.md)
 */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { hookInbox } from "../support/hook-inbox.ts";
import { signed } from "../support/sign.ts";
import { storedResponses } from "../support/stored.ts";
import { begun } from "../support/transactions.ts";
import { twoProcesses } from "../support/two-processes.ts";
import { eventually, testWorker } from "../support/worker.ts";

const here = ownApiOfFile();
const { hook, send, runsOf } = hookInbox(here);
const once = { idempotencyKey: "once" };
const { atOnce } = twoProcesses(here);
const families = ["idempotency_records", "hook_receipts"] as const;

const posts = ({ key }: Member, name: string) =>
  atOnce(16, (api) => api.call("POST", "/bots", { key: key.text, body: { name }, ...once }));

/** Moves the stored rows this long into the past; a negative interval moves them into the future. */
const age = (family: (typeof families)[number], of: string, by: string) =>
  here.db.sql(
    `update app.${family} set created_at = created_at - $2::interval, day_partition = times.day_partition(created_at - $2::interval)
     where $1 in (${family === "hook_receipts" ? "hook_id" : "key_id"}, organisation_id)`,
    [of, by],
  );

test("A transaction that began before midnight finds the response stored after midnight", async () => {
  const ada = await here.owner();
  const early = await begun(here.db);
  await early.query("set local role server; select now()");
  const first = await ada.post("/bots", { name: "Ada" }, once);
  await age("idempotency_records", ada.key.id, "-1 day"); // into the partition of the next day
  const [record] = await here.db.sql<{ digest: Buffer; fingerprint: Buffer }>(
    "select digest, fingerprint from app.idempotency_records where key_id = $1",
    [ada.key.id],
  );
  const { rows } = await early.query<{ answer: string }>(
    "select api.handle($1, 'create_bot', $2, null, uuidv7(), $3, $4, null) as answer",
    [ada.key.digest, { name: "Ada" }, record?.digest, record?.fingerprint],
  );
  const [said = "", body] = (rows[0]?.answer ?? "").split("\n");
  expect([JSON.parse(said).replayed, body]).toEqual([true, first.text]);
  await early.query("commit");
  expect((await ada.get("/bots")).body.data).toHaveLength(1);
});

test("Sixteen equal requests after midnight have one effect, with replays of yesterday's response", async () => {
  const ada = await here.owner();
  const first = await ada.post("/bots", { name: "Ada" }, once);
  await age("idempotency_records", ada.key.id, "23 hours 59 minutes");
  const replies = await posts(ada, "Ada");
  for (const reply of replies) {
    if (reply.status === 409) expectRefusal(reply, "idempotency_in_progress");
    else expect([reply.text, reply.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
  }
  expect(replies.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
  expect(await storedResponses(here.db, ada)).toHaveLength(1);
});

test.each(["1 day", "2 days", "3 days"])(
  "Sixteen equal requests with a response of %s ago still stored have one effect",
  async (by) => {
    const ada = await here.owner();
    await ada.post("/bots", { name: "Ada" }, once);
    await age("idempotency_records", ada.key.id, by); // after three days its partition is today's again
    const replies = await posts(ada, "Bob");
    const done = replies.filter(({ status }) => status === 201);
    for (const reply of replies.filter(({ status }) => status !== 201)) expectRefusal(reply, "idempotency_in_progress");
    expect(done.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1);
    const again = await ada.post("/bots", { name: "Bob" }, once);
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([done[0]?.text, "true"]);
    expect((await ada.get("/bots")).body.data).toHaveLength(2);
  },
);

test("A hook's delivery id is stored for exactly 24 hours, in every partition", async () => {
  for (const by of ["23 hours 59 minutes", "24 hours", "2 days", "3 days"]) {
    const at = await hook();
    const first = await send(at, signed(at.secret, "Hello", { id: "d1" }));
    await age("hook_receipts", at.id, by);
    const again = [1, 2].map(() => send(at, signed(at.secret, "Hello", { id: "d1" })));
    const runs = new Set((await Promise.all(again)).map(({ body }) => body.runId));
    expect([by, runs.size, runs.has(first.body.runId)]).toEqual([by, 1, by === "23 hours 59 minutes"]);
    expect(await runsOf(at)).toHaveLength(by === "23 hours 59 minutes" ? 1 : 2);
  }
});

/** A row in each daily partition of each table, with its owners and hooks. */
async function threeDays(): Promise<{ members: Member[]; hooks: Awaited<ReturnType<typeof hook>>[] }> {
  const [members, hooks] = [[] as Member[], [] as Awaited<ReturnType<typeof hook>>[]];
  for (const by of ["0", "1 day", "2 days"]) {
    const ada = await here.owner();
    expectAnswer("create_bot", await ada.post("/bots", { name: "Ada" }, once));
    await age("idempotency_records", ada.key.id, by);
    const at = await hook();
    await send(at, signed(at.secret, "Hello", { id: "d1" }));
    await age("hook_receipts", at.id, by);
    members.push(ada);
    hooks.push(at);
  }
  return { members, hooks };
}

const receipts = async (id: string) =>
  (await here.db.sql("select from app.hook_receipts where hook_id = $1", [id])).length;

test("The worker truncates the partition of the day before yesterday and deletes no single row", async () => {
  const { members, hooks } = await threeDays();
  await here.db.sql(`
    create function public.refuse() returns trigger language plpgsql as $$ begin raise 'a row is deleted'; end $$;
    ${families.map((family) => `create trigger none before delete on app.${family} for each row execute function public.refuse();`).join("\n")}`);
  const left = async () => [
    ...(await Promise.all(members.map(async (ada) => (await storedResponses(here.db, ada)).length))),
    ...(await Promise.all(hooks.map(({ id }) => receipts(id)))),
  ];
  expect(await left()).toEqual([1, 1, 1, 2, 2, 2]);
  const worker = await testWorker(here.db);
  try {
    await eventually(async () => (await left()).filter((count) => count === 0).length === 2);
  } finally {
    await worker.stop();
    await here.db.sql("drop function public.refuse() cascade");
  }
  expect(await left()).toEqual([1, 1, 0, 2, 2, 0]);
  expect(await here.db.sql("select jobs.truncate_day() as emptied")).toEqual([{ emptied: null }]);
});

test("truncate_day does not wait for readers: it skips the partition and truncates it later", async () => {
  const { members } = await threeDays();
  const worker = here.db.poolAs("worker", 1);
  const empty = async () => (await worker.query("select jobs.truncate_day() as emptied")).rows[0].emptied;
  const reader = await begun(here.db);
  await reader.query("select from app.idempotency_records; select from app.hook_receipts");
  expect(await empty()).toBeNull();
  await reader.query("commit");
  expect([await empty(), await empty(), await empty()]).toEqual([
    expect.stringMatching(/^hook_receipts_[0-2]$/),
    expect.stringMatching(/^idempotency_records_[0-2]$/),
    null,
  ]);
  expect(
    (await Promise.all(members.map((member) => storedResponses(here.db, member)))).map(({ length }) => length),
  ).toEqual([1, 1, 0]);
});
