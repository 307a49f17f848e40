/** Bounds of stored idempotent responses and of batch results. (docs/specification/conventions.md#stored-responses) */
import { expectAnswer, expectRefusal, statusesOf } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { storeBytes, storedResponses } from "../support/stored.ts";
import { twoProcesses } from "../support/two-processes.ts";

const here = apiOfFile();
const { atOnce } = twoProcesses(here);
const mega = 1024 * 1024;
const giga = 1024 * mega;
const once = { idempotencyKey: "once" };
const bot = { method: "POST", path: "/bots", body: { name: "Ada" } };

/** An organisation whose memories fill pages of about 160 KB at `limit=40`. */
async function withMemories(): Promise<Member> {
  const ada = await here.owner();
  await here.db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     select $1, 'organisation', 'note', 'Subject', repeat('a', 4000), 'member', 'test' from generate_series(1, 60)`,
    [ada.organisation.id],
  );
  return ada;
}

const pages = (count: number): Json[] => Array(count).fill({ method: "GET", path: "/memories?limit=40" });
const records = (ada: Member) => storedResponses(here.db, ada);
const counted = async (ada: Member) =>
  Number(
    (
      await here.db.sql("select sum(bytes) as bytes from app.response_bytes where organisation_id = $1", [
        ada.organisation.id,
      ])
    )[0]?.bytes ?? 0,
  );

const stored = (ada: Member, bytes: number, hoursAgo = 0) => storeBytes(here.db, ada.organisation.id, bytes, hoursAgo);

test("A batch of reads is stored, and a repeat returns the same results", async () => {
  const ada = await here.owner();
  const operations = [
    { method: "GET", path: "/bots" },
    { method: "GET", path: "/nothing" },
  ];
  const first = await ada.post("/batch", { operations }, once);
  expect(statusesOf(first.body.results)).toEqual([200, 400]);
  expect([(await records(ada)).length, (await counted(ada)) > 0]).toEqual([1, true]);
  await ada.post("/bots", { name: "Ada" });
  const second = await ada.post("/batch", { operations }, once);
  expect([second.status, second.headers.get("idempotent-replayed"), second.text]).toEqual([200, "true", first.text]);
  const fresh = await ada.post("/batch", { operations });
  expect([fresh.headers.get("idempotent-replayed"), fresh.body.results[0].body.data.length]).toEqual([null, 1]);
  expectRefusal(await ada.post("/bots", { name: "Bob" }, once), "idempotency_mismatch");
});

test("The results of a batch of reads total at most 1 MB; operations that exceed it return 413", async () => {
  const ada = await withMemories();
  const operations = [...pages(10), { method: "GET", path: "/bots" }];
  const answer = await ada.post("/batch", { operations });
  expect(Buffer.byteLength(answer.text)).toBeLessThan(mega + 16 * 1024);
  expect(Buffer.byteLength(answer.text)).toBeGreaterThan(0.8 * mega);
  const of = statusesOf(answer.body.results);
  const fitting = of.indexOf(413);
  expect(of).toEqual([...Array(fitting).fill(200), ...Array(10 - fitting).fill(413), 200]);
  expectRefusal({ ...answer, status: 413, body: answer.body.results[fitting].body }, "payload_too_large");
  expect((await records(ada))[0]?.size).toBeLessThanOrEqual(mega);
});

test("The results of a batch with writes total at most 1 MB; an operation that exceeds it is not performed", async () => {
  const ada = await withMemories();
  const operations = [bot, ...pages(10), bot, { ...bot, body: { name: "" } }];
  const first = await ada.post("/batch", { operations }, once);
  const of = statusesOf(first.body.results);
  expect([of[0], of[1], of[10], of[11], of[12]]).toEqual([201, 200, 413, 201, 400]);
  const [record] = await records(ada);
  expect(record?.size).toBeLessThanOrEqual(mega);
  expect(record?.size).toBeGreaterThan(0.8 * mega);
  const again = await ada.post("/batch", { operations }, once);
  expect([again.headers.get("idempotent-replayed"), again.text]).toEqual(["true", first.text]);
  expect((await ada.get("/bots")).body.data).toHaveLength(2);

  const large = { scope: "organisation", kind: "note", subject: "S", value: "\u0001".repeat(4000) };
  const creates = await ada.post("/batch", {
    operations: Array(40).fill({ method: "POST", path: "/memories", body: large }),
  });
  const made = statusesOf(creates.body.results).filter((status: number) => status === 201).length;
  expect([made, statusesOf(creates.body.results).includes(413)]).toEqual([expect.any(Number), true]);
  const [{ count }] = (await here.db.sql("select count(*)::integer from app.memories where organisation_id = $1", [
    ada.organisation.id,
  ])) as [{ count: number }];
  expect(count).toBe(60 + made);
});

test("A refusal names at most 100 invalid places", async () => {
  const ada = await here.owner();
  const refused = await ada.post("/batch", { operations: Array(50).fill({ id: 5 }) });
  expectRefusal(refused, "invalid_request");
  expect(refused.body.error.details).toHaveLength(100);
  expect(Buffer.byteLength(refused.text)).toBeLessThan(16 * 1024);
});

test("In an atomic batch a 413 undoes all operations", async () => {
  const ada = await withMemories();
  const answer = await ada.post("/batch", { atomic: true, operations: [bot, ...pages(10)] });
  expect(statusesOf(answer.body.results)[0]).toBe(409);
  expect(statusesOf(answer.body.results)).toContain(413);
  expect((await ada.get("/bots")).body.data).toEqual([]);
});

test("An organisation with 1 GB of stored responses is rate_limited for requests that store one", async () => {
  const ada = await here.owner();
  const replayed = { idempotencyKey: "replayed" };
  const first = await ada.post("/bots", { name: "First" }, replayed);
  await stored(ada, giga);
  const before = await counted(ada);
  expectRefusal(await ada.post("/bots", { name: "Ada" }, once), "rate_limited");
  expectRefusal(await ada.post("/bots", { name: "" }), "rate_limited");
  expectRefusal(await ada.post("/batch", { operations: [bot] }), "rate_limited");
  expect([await counted(ada), (await records(ada)).length]).toEqual([before, 1]);
  expect((await ada.get("/bots")).body.data).toEqual([first.body]);
  // Reads, updates and replays store nothing and succeed.
  expectAnswer("update_bot", await ada.patch(`/bots/${first.body.id}`, { name: "Bob" }));
  expect((await ada.post("/bots", { name: "First" }, replayed)).text).toBe(first.text);
  expectRefusal(await ada.post("/batch", { operations: [{ method: "GET", path: "/bots" }] }), "rate_limited");
  expectAnswer("create_bot", await (await here.owner()).post("/bots", { name: "Eve" }));
  await stored(ada, giga / 2);
  expectAnswer("create_bot", await ada.post("/bots", { name: "Ada" }, once));
});

test("The limit of stored bytes counts the last 24 hours", async () => {
  const ada = await here.owner();
  const post = () => ada.post("/bots", { name: "Ada" });
  await stored(ada, giga / 2, 23);
  await stored(ada, giga / 2, 12);
  expectRefusal(await post(), "rate_limited");
  await stored(ada, giga / 2, 24); // inserts a new row: no other hour uses this place
  await here.db.sql(
    "update app.response_bytes set bytes = 0 where organisation_id = $1 and bytes > 0 and hour > now() - interval '24 hours'",
    [ada.organisation.id],
  );
  expectAnswer("create_bot", await post());
  // The row of the current hour was used 25 hours ago, and starts again at 0.
  const eve = await here.owner();
  await stored(eve, giga, 25);
  expectAnswer("create_bot", await eve.post("/bots", { name: "Eve" }));
  expect(await counted(eve)).toBeLessThan(mega);
});

test("The limit of stored bytes holds for concurrent requests, and refused ones have no effect", async () => {
  const ada = await here.owner();
  const size = Buffer.byteLength((await ada.post("/bots", { name: "Ada" })).text);
  await stored(ada, giga - 5 * size);
  const answers = await atOnce(30, (api) =>
    api.call<Json>("POST", "/bots", { key: ada.key.text, body: { name: "Bob" } }),
  );
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(5);
  for (const answer of answers) if (answer.status !== 201) expectRefusal(answer, "rate_limited");
  expect([(await records(ada)).length, await counted(ada)]).toEqual([6, giga]);
  expect((await ada.get("/bots")).body.data).toHaveLength(6);
});
