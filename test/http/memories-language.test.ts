/** The organisation's language determines the lexemes of its memories; changing it rebuilds the search vectors. */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { begun, untilWaiting } from "../support/transactions.ts";
import { eventually, testWorker } from "../support/worker.ts";

const here = ownApiOfFile();
const found = async (who: Member, q: string) =>
  expectAnswer("list_memories", await who.get(`/memories?q=${encodeURIComponent(q)}`)).data.length;
const speak = async (who: Member, language: string) =>
  expectAnswer("rename_organisation", await who.patch("/organisation", { language }));
const newMemory = (value: string) => ({ scope: "organisation", kind: "Notiz", subject: "x", value });
const wordsOf = (who: Member) =>
  here.db.sql<Json>(
    `select count(*)::int as count, count(*) filter (where search_vector @@ 'haus')::int as german
     from app.memories where organisation_id = $1`,
    [who.organisation.id],
  );
/** The queued and running jobs that rebuild search vectors, of one organisation or of all. */
const passes = (who?: Member) =>
  here.db.sql<{ locked: boolean; due: boolean; priority: number }>(
    `select job.locked_by is not null as locked, job.run_at <= now() as due, job.priority
     from graphile_worker._private_jobs job
     join graphile_worker._private_tasks task on task.id = job.task_id
     where task.identifier = 'rebuild_search_vectors' and job.payload ->> 'organisationId' = coalesce($1, job.payload ->> 'organisationId')
     order by job.run_at`,
    [who?.organisation.id ?? null],
  );

test("rename_organisation sets the language, alone or with the name, and refuses unknown languages", async () => {
  const ada = await here.owner();
  const { name } = (await ada.get("/organisation")).body;
  expect(await speak(ada, "german")).toMatchObject({ language: "german", name });
  expect((await ada.patch("/organisation", { name: "Hafen" })).body).toMatchObject({
    language: "german",
    name: "Hafen",
  });
  for (const language of ["klingon", "English", "pg_catalog.english", "", null, 1]) {
    expectRefusal(await ada.patch("/organisation", { language }), "invalid_request", ["body.language"]);
  }
});

test.each([
  ["german", "Die Häuser am Hafen werden gestrichen.", "Haus"],
  ["french", "Les chevaux mangent.", "manger"],
  ["russian", "Гавань закрыта.", "гавани"],
  ["simple", "The offices are open.", "offices"],
])("A search in %s ignores word endings", async (language, value, q) => {
  const ada = await here.owner();
  await speak(ada, language);
  await ada.post("/memories", newMemory(value));
  expect(await found(ada, q)).toBe(1);
});

test("Changing the language rebuilds all search vectors of that organisation and no other", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  for (const who of [ada, eve]) await who.post("/memories", newMemory("Die Häuser am Hafen."));
  await here.db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     select $1, 'organisation', 'Notiz', 'x', 'Die Häuser am Hafen.', 'member', 'test' from generate_series(1, 4500) n`,
    [ada.organisation.id],
  );
  const before = await wordsOf(eve);
  expect((await wordsOf(ada))[0].german).toBe(0);
  await speak(ada, "german");
  const worker = await testWorker(here.db);
  try {
    await eventually(async () => (await wordsOf(ada))[0].german === 4501 && (await passes(ada)).length === 1);
  } finally {
    await worker.stop();
  }
  expect(await found(ada, "Haus")).toBe(50);
  expect(await wordsOf(eve)).toEqual(before);
  expect(await here.db.sql("select from app.memory_history where organisation_id = $1", [ada.organisation.id])).toEqual(
    [],
  );
  // A second job is queued for calls that were open at the change. The same language again queues none.
  await speak(ada, "german");
  expect(await passes(ada)).toHaveLength(1);
});

test("A memory changed during the rebuild keeps the search vector of its new value", async () => {
  const ada = await here.owner();
  const { body: memory } = await ada.post("/memories", newMemory("Die Häuser am Hafen."));
  await speak(ada, "german");
  const writer = await begun(here.db);
  await writer.query("update app.memories set value = 'Ein Boot legt an.' where id = $1", [memory.id]);
  const taken = here.db.sql("select jobs.rebuild_search_vectors($1, '00000000-0000-0000-0000-000000000000')", [
    ada.organisation.id,
  ]);
  await untilWaiting(here.db, 1, taken);
  await writer.query("commit");
  await taken;
  expect([await found(ada, "Boote"), await found(ada, "Haus")]).toEqual([1, 0]);
});

test("The rebuild includes memories of a kind restricted since, and changes only their search vector", async () => {
  const ada = await here.owner();
  const { body: memory } = await ada.post("/memories", {
    ...newMemory("Die Häuser am Hafen."),
    subjectKind: "third_party",
  });
  await here.db.sql("insert into app.third_party_restrictions (organisation_id, kind) values ($1, 'notiz')", [
    ada.organisation.id,
  ]);
  await speak(ada, "german");
  const worker = await testWorker(here.db);
  try {
    await eventually(async () => (await wordsOf(ada))[0].german === 1);
  } finally {
    await worker.stop();
  }
  expect(await found(ada, "Haus")).toBe(1);
  for (const change of [
    { value: "Ein Haus." },
    { confidence: 0.5 },
    { validTo: "2030-01-01T00:00:00Z" },
    { lawfulBasis: "consent" },
  ]) {
    expectRefusal(await ada.patch(`/memories/${memory.id}`, change), "forbidden");
  }
  expect((await ada.get(`/memories/${memory.id}`)).body).toEqual(memory);
});

test("Repeated changes of language run one rebuild at a time, and the last language applies", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  for (const who of [ada, eve]) await who.post("/memories", newMemory("Die Häuser am Hafen."));
  await speak(ada, "french");
  await speak(ada, "german");
  await speak(eve, "german");
  // Each has one job that is due and one a minute later. Delivery jobs have priority over both.
  const [soon, later] = [
    { locked: false, due: true, priority: 2 },
    { locked: false, due: false, priority: 2 },
  ];
  expect([await passes(ada), await passes(eve)]).toEqual(Array(2).fill([soon, later]));

  const session = await here.db.poolAs("owner").connect(); // blocks the rebuild
  await session.query("begin");
  await session.query("select from app.memories where organisation_id = $1 for update", [ada.organisation.id]);
  const underWay = async () => (await passes()).filter(({ locked }) => locked).length;
  const worker = await testWorker(here.db);
  try {
    await eventually(async () => (await passes(ada)).some(({ locked }) => locked));
    for (const language of ["russian", "dutch", "german", "simple", "german"]) {
      await speak(ada, language);
      expect((await passes(ada)).length).toBeLessThanOrEqual(3);
    }
    // The worker fetches this job after all earlier ones, so every due rebuild has been fetched by then.
    await here.db.sql("select graphile_worker.add_job('send_mail', priority => 3)");
    await eventually(
      async () => (await here.db.sql("select from graphile_worker._private_jobs where priority = 3")).length === 0,
    );
    expect(await underWay()).toBe(1);
    await session.query("rollback");
    await eventually(async () => (await passes()).every(({ due }) => !due));
  } finally {
    await session.query("rollback");
    session.release();
    await worker.stop();
  }
  for (const who of [ada, eve]) expect((await wordsOf(who))[0].german).toBe(1);
});
