/** Memories as JSON lines. (docs/specification/memories.md#export) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";

const here = apiOfFile();
const headers = { accept: "application/x-ndjson" };
const rows = (text: string): Json[] => {
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
};

async function withMemories(count: number, value = "é\n".repeat(50)): Promise<Member> {
  const ada = await here.owner();
  const memories = Array.from({ length: count }, (_each, index) => ({
    ...{
      externalId: `crm-${index}`,
      scope: "organisation",
      kind: index % 2 ? "odd" : "even",
      subject: `Pier ${index}`,
    },
    value,
  }));
  for (let from = 0; from < count; from += 200) {
    const part = memories.slice(from, from + 200);
    expect((await ada.post("/memories/import", { memories: part })).body.created).toBe(part.length);
  }
  return ada;
}

async function exported(caller: Member, query = ""): Promise<Json[]> {
  const url = `${here.api.url}/api/v1/memories${query}`;
  const reply = await fetch(url, { headers: { ...headers, authorization: `Bearer ${caller.key.text}` } });
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
  return rows(await reply.text());
}

async function listed(caller: Member, query = ""): Promise<Json[]> {
  const found: Json[] = [];
  for (let cursor = ""; ; ) {
    const { data, nextCursor } = (await caller.get(`/memories?limit=200&cursor=${cursor}${query}`)).body;
    found.push(...data);
    if (nextCursor === null) return found;
    cursor = nextCursor;
  }
}

test.each([
  ["application/x-ndjson", true],
  ["Application/X-NDJSON; q=0.9, application/json; q=0.5", true],
  ["application/json, application/x-ndjson", false],
  ["application/x-ndjson; q=0", false],
  ["*/*", false],
  ["text/csv", false],
])("Accept: %s is answered with lines: %s", async (accept, isLines) => {
  const ada = await withMemories(1);
  const { headers } = await ada.get("/memories", { headers: { accept } });
  expect(headers.get("content-type")).toMatch(isLines ? /^application\/x-ndjson$/ : /^application\/json\b/);
});

test("an export has each memory of the list once, over several pages and with filters, and continues after any line", async () => {
  const ada = await withMemories(451);
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  await ada.post("/memories", { scope: "bot", botId: bot.id, kind: "note", subject: "Bot", value: "Own" });
  const all = await exported(ada);
  expect(all).toHaveLength(452);
  expect(all).toEqual(await listed(ada));
  expect(await exported(ada, "?kind=odd&limit=100")).toEqual(await listed(ada, "&kind=odd"));
  expect(await exported(ada, `?cursor=${all[230].id}`)).toEqual(all.slice(231));
  expect(await exported(ada, `?cursor=${all.at(-1).id}`)).toEqual([]);
  expectRefusal(await ada.get(`/memories?cursor=${all[0].id}`), "invalid_request", ["query.cursor"]);
});

test("an export shows no memory of another organisation or of a bot that the caller does not see", async () => {
  const [ada, other] = [await withMemories(3), await withMemories(2)];
  const { body: bot } = await ada.post("/bots", { name: "Mine", visibility: "personal" });
  await ada.post("/memories", { scope: "bot", botId: bot.id, kind: "note", subject: "Secret", value: "Secret" });
  const [person] = await here.db.sql(
    `with person as (insert into app.people (email) values ($2) returning id)
     insert into app.memberships (organisation_id, person_id, role) select $1, id, 'admin' from person returning person_id as id`,
    [ada.organisation.id, `bo.${ada.organisation.id}@example.test`],
  );
  const bo = await here.another(ada, "read", person?.id);
  expect(await exported(ada)).toHaveLength(4);
  expect(await exported(bo)).toHaveLength(3);
  expect(await exported(other)).toHaveLength(2);
});

test("an export into another organisation and back stores each memory once, and keeps the mark of tainted memories", async () => {
  const [ada, grace] = [await withMemories(3), await here.owner()];
  await ada.post("/memories", { scope: "organisation", kind: "note", subject: "Typed", value: "By hand" });
  await ada.post("/memories/import", {
    memories: [{ id: "x", scope: "organisation", kind: "note", subject: "T", value: "T", provenance: "run-tainted" }],
  });
  const linesOf = async (from: Member) => (await exported(from)).map((row) => `${JSON.stringify(row)}\n`).join("");
  const send = (to: Member, raw: string) =>
    to.post("/memories/import", undefined, { headers: { "content-type": "application/x-ndjson" }, raw });
  const lines = await linesOf(ada);
  expect(expectAnswer("import_memories", await send(grace, lines))).toMatchObject({ created: 5, refused: 0 });
  expect(expectAnswer("import_memories", await send(ada, lines))).toMatchObject({ unchanged: 5, refused: 0 });
  const copy = await exported(grace);
  expect(copy.map(({ provenance }) => provenance).toSorted()).toEqual([...Array(4).fill("import"), "run-tainted"]);
  const contents = (memories: Json[]) => memories.map(({ subject, value }) => [subject, value]);
  expect(contents(copy).toReversed()).toEqual(contents(rows(lines)));
  expect((await send(grace, await linesOf(grace))).body).toMatchObject({ unchanged: 5, created: 0 });
});

test("an export breaks off when its key is revoked, and its client notices", async () => {
  const ada = await withMemories(3_000, "x".repeat(4_000));
  const reply = await fetch(`${here.api.url}/api/v1/memories`, {
    headers: { ...headers, authorization: `Bearer ${ada.key.text}` },
  });
  const reader = reply.body?.getReader();
  await reader?.read(); // the buffers of the socket fill, so the service waits for its client
  await here.db.sql("update app.api_keys set revoked_at = now() where digest = $1", [ada.key.digest]);
  const rest = async () => {
    for (;;) if ((await reader?.read())?.done) return;
  };
  await expect(rest()).rejects.toThrow();
});
