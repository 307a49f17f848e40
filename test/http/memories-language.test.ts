/** The organisation's language: in which claims are searched, and what becomes of those that are held. */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { eventually, testWorker } from "../support/worker.ts";

const here = apiOfFile();
const found = async (who: Member, q: string) =>
  expectAnswer("list_memories", await who.get(`/memories?q=${encodeURIComponent(q)}`)).data.length;
const speak = async (who: Member, language: string) =>
  expectAnswer("rename_organisation", await who.patch("/organisation", { language }));
const claim = (value: string) => ({ scope: "organisation", kind: "Notiz", subject: "x", value });

test("it is set by an admin key, alone or with the name, and shown", async () => {
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
])("in %s its endings do not count", async (language, value, q) => {
  const ada = await here.owner();
  await speak(ada, language);
  await ada.post("/memories", claim(value));
  expect(await found(ada, q)).toBe(1);
});

test("when it changes, the words of all that is held are taken anew, and of nobody else's", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  for (const who of [ada, eve]) await who.post("/memories", claim("Die Häuser am Hafen."));
  await here.db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     select $1, 'organisation', 'Notiz', 'x', 'Die Häuser am Hafen.', 'member', 'test' from generate_series(1, 4500) n`,
    [ada.organisation.id],
  );
  const wordsOf = (who: Member) =>
    here.db.sql<Json>(
      `select count(*)::int as count, count(*) filter (where search @@ 'haus')::int as german
       from app.memories where organisation_id = $1`,
      [who.organisation.id],
    );
  const waiting = () =>
    here.db.sql("select from graphile_worker._private_jobs where payload ->> 'organisationId' = $1 and key is null", [
      ada.organisation.id,
    ]);
  const before = await wordsOf(eve);
  expect((await wordsOf(ada))[0].german).toBe(0);
  await speak(ada, "german");
  const worker = await testWorker(here.db);
  try {
    await eventually(async () => (await wordsOf(ada))[0].german === 4501 && (await waiting()).length === 1);
  } finally {
    await worker.stop();
  }
  expect(await found(ada, "Haus")).toBe(50);
  expect(await wordsOf(eve)).toEqual(before);
  expect(await here.db.sql("select from app.memory_history where organisation_id = $1", [ada.organisation.id])).toEqual(
    [],
  );
  // Asked for a second time, for a call that was under way; the same language again asks for nothing.
  await speak(ada, "german");
  expect(await waiting()).toHaveLength(1);
});
