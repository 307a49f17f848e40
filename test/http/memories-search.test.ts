/** Searching memories: matches, order and highlights. (docs/specification/memories.md#search) */
import fc from "fast-check";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";

const here = ownApiOfFile();

async function hold(who: Member, subject: string, value: string, more: object = {}): Promise<string> {
  const body = { scope: "organisation", kind: "fact", subject, value, ...more };
  return expectAnswer("create_memory", await who.post("/memories", body)).id;
}

const search = async (who: Member, q: string, more = "") =>
  expectAnswer("list_memories", await who.get(`/memories?q=${encodeURIComponent(q)}${more}`));
const subjects = async (who: Member, q: string, more = ""): Promise<string[]> =>
  (await search(who, q, more)).data.map((row: Json) => row.subject);

test("A search finds a memory by its words in any case and with any ending", async () => {
  const ada = await here.owner("read");
  const admin = await here.another(ada, "write");
  await hold(admin, "Opening hours", "The harbour office is open from nine to five.");
  await hold(admin, "Canteen", "Lunch is served at noon.");
  for (const q of ["opening", "OFFICES", "hour", "Where is the harbour's office?"]) {
    expect([q, await subjects(ada, q)]).toEqual([q, ["Opening hours"]]);
  }
  expect(await subjects(ada, "lighthouse")).toEqual([]);
  for (const q of ["the of and", "?!", "& | ! ( ) :* <->", "' \\ \" %", "🦜", " "]) {
    expect([q, await subjects(ada, q)]).toEqual([q, []]);
  }
});

test("A word of any length is stored and does not hide the words beside it", async () => {
  const ada = await here.owner();
  const lengths = [2037, 2038, 2039, 2040, 2041, 2042, 2043, 2044, 2045, 2046, 2047, 3995];
  for (const [letter, bytes] of Object.entries({ a: 1, é: 2, 漢: 3 })) {
    for (const length of lengths) {
      const word = letter.repeat(Math.floor(length / bytes)) + "b".repeat(length % bytes);
      const id = await hold(ada, "Crane", `buoy ${word}`);
      expectAnswer("update_memory", await ada.patch(`/memories/${id}`, { value: `${word} pier` }));
      expect([letter, length, (await search(ada, "pier", "&limit=1")).data[0]?.id]).toEqual([letter, length, id]);
      expectAnswer("delete_memory", await ada.delete(`/memories/${id}`));
    }
  }
  // The rebuild after a change of language handles long words too.
  await hold(ada, "Crane", `${"a".repeat(2040)} pier`);
  await here.db.sql("select jobs.rebuild_search_vectors($1, '00000000-0000-0000-0000-000000000000')", [
    ada.organisation.id,
  ]);
  expect(await subjects(ada, "pier")).toEqual(["Crane"]);
});

test.each([
  ["two letters exchanged", "harbuor"],
  ["a letter too many", "habour"],
  ["a letter too many", "harrbour"],
  ["another vowel", "herbour"],
  ["another letter at the end", "harboug"],
  ["another spelling of a foreign name", "Kovalsky"],
  ["missing diacritics", "Muller"],
])("A search tolerates a spelling mistake: %s", async (_, q) => {
  const ada = await here.owner();
  await hold(ada, "Harbour master", "Jan Kowalski, whose deputy is Frau Müller.");
  await hold(ada, "Canteen", "Lunch is served at noon, in the hall by the kitchen.");
  expect(await subjects(ada, q)).toEqual(["Harbour master"]);
});

test("A search orders by the number of matching words, then their rarity, confidence and age", async () => {
  const ada = await here.owner();
  await hold(ada, "pier 1", "Closed in winter.");
  await hold(ada, "pier 2", "Closed in winter.", { confidence: 0.5 });
  await hold(ada, "pier 3", "Closed in winter.");
  await hold(ada, "pier 4", "Closed in winter.");
  await hold(ada, "crane", "It stands on the pier.");
  const found = await subjects(ada, "crane pier");
  expect(found).toEqual(["crane", "pier 4", "pier 3", "pier 1", "pier 2"]);
});

test("A search ranks a match in the subject above one in the value", async () => {
  const ada = await here.owner();
  await hold(ada, "Ferry", "Leaves at seven.");
  await hold(ada, "Timetable", "The ferry leaves at seven.");
  expect(await subjects(ada, "ferry")).toEqual(["Ferry", "Timetable"]);
});

test("A search finds a compound by its beginning", async () => {
  const ada = await here.owner();
  await ada.patch("/organisation", { language: "german" });
  await hold(ada, "Hafenmeisterei", "Montags geschlossen.");
  expect(await subjects(ada, "Hafen")).toEqual(["Hafenmeisterei"]);
});

test("A search combines with each filter and with all of them", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const past = "2001-01-01T00:00:00Z";
  await hold(ada, "Crane A", "yellow", { kind: "note", subjectKind: "member" });
  await hold(ada, "Crane B", "yellow", { scope: "bot", botId: bot.id });
  await hold(ada, "Crane C", "yellow", { validTo: past });
  await here.db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     values ($1, 'organisation', 'fact', 'Crane D', 'yellow', 'run', 'run')`,
    [ada.organisation.id],
  );
  const filters: Record<string, string[]> = {
    "&kind=note": ["Crane A"],
    "&kind=Note": [],
    "&subjectKind=member": ["Crane A"],
    "&scope=bot": ["Crane B"],
    [`&botId=${bot.id}`]: ["Crane B"],
    "&provenance=run": ["Crane D"],
    "&current=true": ["Crane A", "Crane B", "Crane D"],
    "&subject=crane-c": ["Crane C"],
    "&subject=crane%20%20C&current=true": [],
    "&kind=fact&provenance=member&current=true": ["Crane B"],
  };
  for (const [filter, expected] of Object.entries(filters)) {
    expect([filter, (await subjects(ada, "yellow", filter)).toSorted()]).toEqual([filter, expected]);
    const listed = expectAnswer("list_memories", await ada.get(`/memories?${filter.slice(1)}`)).data;
    expect([filter, listed.map((row: Json) => row.subject).toSorted()]).toEqual([filter, expected]);
  }
});

test("list_memories names the invalid search parameter", async () => {
  const ada = await here.owner();
  const long = "a".repeat(401);
  for (const q of ["", long, "%00"]) {
    expectRefusal(await ada.get(`/memories?q=${q}`), "invalid_request", ["query.q"]);
  }
  expectRefusal(await ada.get("/memories?q=a&q=b"), "invalid_request", ["query.q"]);
  for (const [name, value] of [
    ["provenance", "robot"],
    ["subjectKind", "person"],
    ["kind", ""],
    ["subject", "a".repeat(201)],
    ["asOf", "yesterday"],
  ]) {
    expectRefusal(await ada.get(`/memories?${name}=${value}`), "invalid_request", [`query.${name}`]);
  }
  expectRefusal(await ada.get("/memories?q=a&asOf=2026-01-01T00:00:00Z"), "invalid_request", ["query.asOf"]);
});

test("The pages of a search are the same as the whole, also while others write", async () => {
  const ada = await here.owner();
  for (let number = 1; number <= 7; number += 1) {
    await hold(ada, `Crane ${number}`, number % 2 ? "The crane is yellow." : "It is green.", {
      confidence: number / 7,
    });
  }
  const whole = (await search(ada, "yellow crane", "&limit=200")).data.map((row: Json) => row.id);
  expect(whole).toHaveLength(7);
  const walked: string[] = [];
  for (let cursor = ""; ; ) {
    const page = await search(ada, "yellow crane", `&limit=2${cursor}`);
    walked.push(...page.data.map((row: Json) => row.id));
    if (page.nextCursor === null) break;
    cursor = `&cursor=${page.nextCursor}`;
    // If words were weighed again, "yellow" would become as common as "crane" and reverse the order.
    for (let count = 0; count < 5; count += 1) await hold(ada, "Buoy", "yellow, far out", { confidence: 0 });
  }
  expect(walked.filter((id) => whole.includes(id))).toEqual(whole);
  expect(new Set(walked).size).toBe(walked.length);
});

test("A cursor of a search is refused for another query and for the list, and the list's for a search", async () => {
  const ada = await here.owner();
  for (const number of [1, 2, 3]) await hold(ada, `Crane ${number}`, "yellow");
  const { nextCursor: found } = await search(ada, "crane", "&limit=1");
  const { nextCursor: listed } = (await ada.get("/memories?limit=1")).body;
  const refused = ["/memories?q=yellow", "/memories?q=cranes", "/memories"].map((path) => [path, found]);
  const halves = [
    found.slice(0, 40),
    `${found}0`,
    `${found.slice(0, 40)}8${found.slice(41)}`,
    `${found}${"0".repeat(100)}`,
  ];
  for (const [path, cursor] of [
    ...refused,
    ["/memories?q=crane", listed],
    ...halves.map((half) => ["/memories?q=crane", half]),
  ]) {
    const query = `${path}${path?.includes("?") ? "&" : "?"}cursor=${cursor}`;
    expectRefusal(await ada.get(query), "invalid_request", ["query.cursor"]);
  }
  // A changed cursor of valid form changes the order, and still returns only the caller's rows.
  const other = `${found.slice(0, 40)}${"7".repeat(16)}0000`;
  expect((await ada.get(`/memories?q=crane&cursor=${other}`)).status).toBe(200);
});

test("A highlight marks the matching parts of subject and value, also after a spelling mistake", async () => {
  const ada = await here.owner();
  await hold(ada, "Harbour hours", "The harbours open at nine.");
  const parts = { subject: [["Harbour", true], [" hours", false]], value: [["The ", false], ["harbours", true], [" open at nine.", false]] }; // biome-ignore format: two short tables
  for (const q of ["harbour", "harbuor"]) {
    const [row] = (await search(ada, q)).data;
    for (const field of ["subject", "value"] as const) {
      expect(row.highlight[field].map((part: Json) => [part.text, part.hit])).toEqual(parts[field]);
    }
  }
  expect((await ada.get("/memories")).body.data[0]).not.toHaveProperty("highlight");
});

test("The parts of a highlight always add up to the text, without markup", async () => {
  const ada = await here.owner();
  const piece = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc.constantFrom(
      ...[
        "harbour",
        "<b>harbour</b>",
        "<mark>",
        "</mark>",
        "&amp;",
        "<script>alert(1)</script>",
        "StartSel=x",
        "\u0001",
      ],
      ...[
        "harbour-master",
        "https://harbour.example/a?b=c#harbour",
        "a@harbour.example",
        "\t\n",
        "'\"\\",
        "/usr/harbour",
        "-1.5e3",
      ],
    ),
  );
  const value = fc
    .array(piece, { minLength: 1, maxLength: 12 })
    .map((pieces) => `harbour ${pieces.join(" ")}`)
    .filter((text) => text.isWellFormed() && !text.includes("\0"));
  await fc.assert(
    fc.asyncProperty(value, async (text) => {
      const id = await hold(ada, "Harbour", text);
      const [row] = (await search(ada, "harbour", "&limit=1&subject=harbour")).data;
      const parts: { text: string; hit: boolean }[] = row.highlight.value;
      expect(parts.map((part) => part.text).join("")).toBe(text);
      expect(parts.some(({ hit }) => hit)).toBe(true);
      expectAnswer("delete_memory", await ada.delete(`/memories/${id}`));
    }),
    { numRuns: 40 },
  );
});

test("A search finds only readable memories, and unreadable ones do not influence its order", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const bob = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
  const { body: bot } = await ada.post("/bots", { name: "Mine", visibility: "personal" });
  await hold(ada, "Ours", "The parrot is green.");
  await hold(ada, "My bot's", "The parrot is green.", { scope: "bot", botId: bot.id });
  await hold(eve, "Theirs", "The parrot is green.");
  await here.db.sql(
    `insert into app.memories (organisation_id, scope, member_id, kind, subject, value, provenance, source)
     values ($1, 'member', $2, 'fact', 'My own', 'The parrot is green, and so is the zebra.', 'member', 'test')`,
    [ada.organisation.id, ada.organisation.ownerId],
  );
  expect((await subjects(ada, "parrot")).toSorted()).toEqual(["My bot's", "My own", "Ours"]);
  expect(await subjects(bob, "parrot")).toEqual(["Ours"]);
  expect(await subjects(eve, "parrot")).toEqual(["Theirs"]);
  expect(await subjects(ada, "zebra")).toEqual(["My own"]);
  // A word that occurs only in unreadable memories does not correct a spelling either.
  for (const q of ["zebra", "zerba"]) expect(await subjects(bob, q)).toEqual([]);
  await hold(bob, "Pets", "A canary.");
  const before = await search(bob, "canary parrot");
  for (let count = 0; count < 5; count += 1) await hold(ada, "Hidden", "canary", { scope: "bot", botId: bot.id });
  expect(await search(bob, "canary parrot")).toEqual(before);
});
