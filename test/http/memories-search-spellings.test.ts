/** Words in searches compare as names do. (docs/specification/conventions.md#comparison) */
import { expectAnswer } from "../support/answers.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { spellings } from "../support/spellings.ts";

const here = apiOfFile();

const hold = async (who: Member, value: string) =>
  expectAnswer(
    "create_memory",
    await who.post("/memories", { scope: "organisation", kind: "fact", subject: "Note", value }),
  );

/** The first result, with its hits in braces. */
async function first(who: Member, q: string): Promise<string | undefined> {
  const [row] = expectAnswer("list_memories", await who.get(`/memories?q=${encodeURIComponent(q)}`)).data;
  if (!row) return undefined;
  const parts: { text: string; hit: boolean }[] = row.highlight.value;
  expect(parts.map(({ text }) => text).join("")).toBe(row.value);
  return parts.map(({ text, hit }) => (hit ? `{${text}}` : text)).join("");
}

test.each(Object.entries(spellings))("a search finds each spelling of %s by each other one", async (name, others) => {
  const missed: string[] = [];
  for (const stored of [name, ...others]) {
    const ada = await here.owner();
    await hold(ada, `Ask ${stored} tomorrow.`);
    await hold(ada, "The harbour office is open.");
    for (const q of [name, ...others]) {
      if (!(await first(ada, q))?.includes("tomorrow")) missed.push(`${stored} by ${q}`);
    }
  }
  expect(missed).toEqual([]);
});

test.each([
  ["Ask Conan O’Brien.", "O'Brien", "Ask Conan {O}’{Brien}."],
  ["Ask Conan O’Brien.", "brien", "Ask Conan O’{Brien}."],
  ["Ask Conan O'Brien.", "O’Brien", "Ask Conan {O}'{Brien}."],
  ["Jeanne d’Arc", "arc", "Jeanne d’{Arc}"],
  ["Call Jean‑Luc", "LUC", "Call Jean‑{Luc}"],
  ["Γιώργος and Κώστας", "ΚΏΣΤΑΣ", "Γιώργος and {Κώστας}"],
  ["ВСТРЕЧА В МОСКВЕ", "встреча", "{ВСТРЕЧА} В МОСКВЕ"],
  ["„Straße“ und „Gasse“", "STRASSE", "„Straße“ und „Gasse“"], // found, but one character is two
  ["1990–1995", "1995", "1990–{1995}"],
])("a search marks its hits in %p by %p", async (value, q, marked) => {
  const ada = await here.owner();
  await hold(ada, value);
  expect(await first(ada, q)).toBe(marked);
});

test("a search for another name does not find a name that only looks similar", async () => {
  const ada = await here.owner();
  await hold(ada, "Isparta");
  expect(await first(ada, "Müller")).toBeUndefined();
});
