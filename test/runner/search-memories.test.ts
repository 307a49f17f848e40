/** The engine `recall` through the API and the real worker: which memories it uses. */

import { makeKey, makeMember } from "../support/database.ts";
import { type Customer, customer, ownOfficeOfFile } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";

const office = ownOfficeOfFile();

type Answer = { text: string; memoryIds: string[]; author: string };

/** The bot's answer to a question of this customer. */
async function answer(who: Customer, message: string, bot = who.bot): Promise<Answer> {
  const { id } = (await who.ask("POST", "/runs", { botId: bot, message })).body;
  return answerOf(who, id);
}

async function answerOf(who: Pick<Customer, "ask">, run: string): Promise<Answer> {
  await eventually(
    async () => (await office.db.sql("select from app.runs where id = $1 and state = 'completed'", [run])).length === 1,
  );
  return (await who.ask("GET", `/runs/${run}/messages`)).body.data[0];
}

/** Creates a memory, of the organisation by default. Returns its id. */
async function createMemory(who: Customer, value: string, more: object = {}): Promise<string> {
  const body = { scope: "organisation", kind: "fact", subject: "Harbour", value, ...more };
  return (await who.ask("POST", "/memories", body)).body.id;
}

const nothing = "I know nothing about that: no memory that I may read matches.";

test("recall answers with the matching memory and cites it", async () => {
  const who = await customer(office);
  const tides = await createMemory(who, "High tide is at nine in the evening.", { subject: "Tides" });
  await createMemory(who, "Lunch is served at noon.", { subject: "Canteen" });
  const reply = await answer(who, "When is high tide?");
  expect(reply).toMatchObject({ author: "bot", memoryIds: [tides] });
  expect(reply.text).toContain("High tide is at nine in the evening.");
  expect(reply.text).toContain(tides);
  expect(reply.text).not.toContain("Lunch");
});

test("recall answers that it knows nothing if no memory matches", async () => {
  const who = await customer(office);
  await createMemory(who, "Lunch is served at noon.");
  expect(await answer(who, "Who paints the lighthouse?")).toMatchObject({ text: nothing, memoryIds: [] });
});

test.each(["the of and", "?!", "& | ! ( ) :* <->", "' \\ \" %", "🦜"])(
  "recall answers the question %p, which has no word to search",
  async (question) => {
    const who = await customer(office);
    await createMemory(who, "Lunch is served at noon.");
    expect((await answer(who, question)).text).toBe(nothing);
  },
);

test("recall accepts a word of any length and searches the others", async () => {
  const who = await customer(office);
  const lunch = await createMemory(who, "Lunch is served at noon.");
  for (const word of [2037, 2038, 2039, 2042, 2046, 2047, 4000].map((length) => "x".repeat(length))) {
    expect((await answer(who, `${word} lunch`)).memoryIds).toEqual([lunch]);
  }
  expect((await answer(who, `${"é".repeat(1020)} lunch`)).memoryIds).toEqual([lunch]);
});

test("recall does not use a memory of another organisation", async () => {
  const [who, other] = [await customer(office), await customer(office)];
  await createMemory(other, "The vault opens with 4711.");
  expect((await answer(who, "What opens the vault?")).text).toBe(nothing);
  expect((await answer(other, "What opens the vault?")).text).toContain("4711");
});

test("recall uses a bot's memory only for that bot", async () => {
  const who = await customer(office);
  const second = (await who.ask("POST", "/bots", { name: "Second" })).body.id;
  await createMemory(who, "The parrot is green.", { scope: "bot", botId: who.bot });
  expect((await answer(who, "Which colour has the parrot?")).text).toContain("green");
  expect((await answer(who, "Which colour has the parrot?", second)).text).toBe(nothing);
});

test("recall uses a member's memory only for that member", async () => {
  const who = await customer(office);
  await office.db.sql(
    `insert into app.memories (organisation_id, scope, member_id, kind, subject, subject_kind, value, provenance, source)
     values ($1, 'member', $2, 'preference', 'Olga', 'member', 'Her desk stands by the window.', 'member', 'test')`,
    [who.organisation.id, who.organisation.ownerId],
  );
  expect((await answer(who, "Where does the desk stand?")).text).toContain("by the window");

  const admin = await makeMember(office.db, who.organisation.id, "admin");
  const key = await makeKey(office.db, who.organisation.id, admin);
  const ask: Customer["ask"] = (method, path, body) => office.api.call(method, path, { key: key.text, body });
  const run = await ask("POST", "/runs", { botId: who.bot, message: "Where does the desk stand?" });
  expect((await answerOf({ ask }, run.body.id)).text).toBe(nothing);
});

test("recall does not use an expired memory", async () => {
  const who = await customer(office);
  const id = await createMemory(who, "The ferry leaves at seven.");
  expect((await answer(who, "When does the ferry leave?")).memoryIds).toEqual([id]);
  await who.ask("PATCH", `/memories/${id}`, { validTo: new Date(Date.now() - 1000).toISOString() });
  expect((await answer(who, "When does the ferry leave?")).text).toBe(nothing);
  await who.ask("PATCH", `/memories/${id}`, { validTo: new Date(Date.now() + 60_000).toISOString() });
  expect((await answer(who, "When does the ferry leave?")).memoryIds).toEqual([id]);
});

test("recall does not use a memory that is not valid yet", async () => {
  const who = await customer(office);
  await createMemory(who, "The ferry leaves at seven.", { validFrom: "2999-01-01T00:00:00Z" });
  expect((await answer(who, "When does the ferry leave?")).text).toBe(nothing);
});

test("recall answers with a memory and the memory that contradicts it, and says which is newer", async () => {
  const who = await customer(office);
  const ferry = await createMemory(who, "The ferry leaves at seven.");
  const boat = await createMemory(who, "Boats go at eight.");
  for (const [question, memoryIds] of [
    ["When does the ferry leave?", [ferry, boat]],
    ["When do boats go?", [boat, ferry]],
  ] as const) {
    const reply = await answer(who, question);
    expect(reply.memoryIds).toEqual(memoryIds);
    expect(reply.text).toMatch(/leaves at seven\. \(fact; recorded [0-9-]{10}, contradicted by a newer memory; memory/);
    expect(reply.text).toMatch(
      /at eight\. \(fact; recorded [0-9-]{10}, the newest of memories that contradict each other; memory/,
    );
  }
});

test("recall does not use a deleted memory", async () => {
  const who = await customer(office);
  const id = await createMemory(who, "The ferry leaves at seven.");
  expect((await answer(who, "When does the ferry leave?")).memoryIds).toEqual([id]);
  await who.ask("DELETE", `/memories/${id}`);
  expect((await answer(who, "When does the ferry leave?")).text).toBe(nothing);
});

test("recall orders memories by match and confidence, deterministically", async () => {
  const who = await customer(office);
  const doubtful = await createMemory(who, "The ferry leaves at eight.", { confidence: 0.5 });
  const sure = await createMemory(who, "The ferry leaves at nine.");
  const later = await createMemory(who, "The ferry leaves at ten."); // of equal ranks the newer comes first
  const replies = [];
  for (let time = 1; time <= 3; time += 1) replies.push(await answer(who, "When does the ferry leave?"));
  expect(replies[0]?.memoryIds).toEqual([later, sure, doubtful]);
  expect(replies[0]?.text).toContain("50 % sure");
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
});

test("recall cites at most five memories", async () => {
  const who = await customer(office);
  for (let number = 1; number <= 8; number += 1) await createMemory(who, `Crane ${number} is painted yellow.`);
  expect((await answer(who, "Which crane is yellow?")).memoryIds).toHaveLength(5);
});

test("recall builds a valid answer from memories of maximum length", async () => {
  const who = await customer(office);
  for (let number = 1; number <= 5; number += 1) {
    await createMemory(who, `crane ${"x".repeat(3994)}`, { subject: "s".repeat(200), kind: "k".repeat(60) });
  }
  const reply = await answer(who, "Which crane?");
  expect(reply.memoryIds).toHaveLength(5);
  expect(reply.text.length).toBeLessThanOrEqual(32_000);
});

test("recall records steps without cost", async () => {
  const who = await customer(office);
  const { id } = (await who.ask("POST", "/runs", { botId: who.bot, message: "Anything?" })).body;
  await answerOf(who, id);
  expect((await who.ask("GET", `/runs/${id}`)).body).toMatchObject({
    state: "completed",
    steps: 2,
    spendMicroCents: 0,
  });
  const steps = await office.db.sql("select number, kind from app.steps where run_id = $1 order by number", [id]);
  expect(steps).toEqual([
    { number: 1, kind: "recall" },
    { number: 2, kind: "answer" },
  ]);
});
