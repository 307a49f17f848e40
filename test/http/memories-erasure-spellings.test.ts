/** An erasure erases every spelling of its subject. (docs/specification/conventions.md#comparison) */
import fc from "fast-check";
import { expectAnswer } from "../support/answers.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { distinct, spellings } from "../support/spellings.ts";

const here = apiOfFile();

const record = async (who: Member, subject: string) =>
  expectAnswer(
    "create_memory",
    await who.post("/memories", {
      ...{ scope: "organisation", kind: "note", subject, subjectKind: "third_party", value: "Kanarienvogel" },
    }),
  );
const erase = async (who: Member, subject: string) =>
  expectAnswer("erase_memories", await who.post("/memories/erase", { subjectKind: "third_party", subject }));
const left = async (who: Member, subject: string) =>
  expectAnswer("list_memories", await who.get(`/memories?subject=${encodeURIComponent(subject)}`)).data;

test.each(Object.entries(spellings))(
  "erase_memories erases each spelling of %s, and is called with each",
  async (name, others) => {
    const ada = await here.owner();
    for (const other of others) {
      for (const [called, also] of [
        [name, other],
        [other, name],
      ] as const) {
        await record(ada, called);
        await record(ada, also);
        expect(await left(ada, called)).toHaveLength(2);
        expect(await erase(ada, called)).toMatchObject({ memories: 2, complete: true });
      }
    }
    expect(expectAnswer("list_memories", await ada.get("/memories")).data).toEqual([]);
  },
);

test("erase_memories erases the history of other spellings", async () => {
  const ada = await here.owner();
  const { id } = await record(ada, "Γιώργος");
  expectAnswer("delete_memory", await ada.delete(`/memories/${id}`));
  expect(await erase(ada, "ΓΙΏΡΓΟΣ")).toMatchObject({ memories: 0, history: 1, complete: true });
});

test("erase_memories leaves names that only look similar", async () => {
  const ada = await here.owner();
  for (const subject of distinct) await record(ada, subject);
  for (const name of Object.keys(spellings)) await erase(ada, name);
  expect(expectAnswer("list_memories", await ada.get("/memories")).data).toHaveLength(distinct.length);
});

test("after a complete erasure no memory is left that a filter by any spelling of the subject finds", async () => {
  const ada = await here.owner();
  const spelled = (text: string) =>
    fc.constantFrom(
      text,
      text.toUpperCase(),
      text.toLowerCase(),
      text.normalize("NFD"),
      text.toUpperCase().normalize("NFD"),
      text.replaceAll(/[ -]/g, "\u2011"),
      text.replaceAll("'", "\u2019"),
    );
  const names = fc.stringMatching(/^[a-zßüéøςγώ' -]{0,12}[a-zßüéøςγώ]$/u);
  await fc.assert(
    fc.asyncProperty(
      names.chain((text) => fc.tuple(spelled(text), spelled(text), spelled(text))),
      async ([stored, erased, searched]) => {
        await record(ada, stored);
        const { memories, complete } = await erase(ada, erased);
        expect([memories, complete, await left(ada, searched)]).toEqual([1, true, []]);
      },
    ),
    { numRuns: 30 },
  );
});
