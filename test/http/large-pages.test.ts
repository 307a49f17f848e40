/**
 * A page of large rows ends early, and the next continues after it. (docs/reliability.md#bounds-on-work-per-request)
 */
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";

const here = apiOfFile();
const mega = 1024 * 1024;

/** Reads all pages of a list. Returns the rows, the number of pages and the size of the largest. */
async function walk(who: Member, path: string): Promise<{ rows: Json[]; pages: number; largest: number }> {
  const found = { rows: [] as Json[], pages: 0, largest: 0 };
  for (let cursor = ""; ; ) {
    const answer = await who.get(`${path}${path.includes("?") ? "&" : "?"}limit=200${cursor}`);
    expect(answer.status).toBe(200);
    found.rows.push(...answer.body.data);
    found.pages += 1;
    found.largest = Math.max(found.largest, Buffer.byteLength(answer.text));
    if (answer.body.nextCursor === null) return found;
    cursor = `&cursor=${answer.body.nextCursor}`;
  }
}

test("list_run_messages returns each large message once, in order, in pages of about 1 MB", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const { body: run } = await ada.post("/runs", { botId: bot.id, message: "First" });
  await here.db.sql(
    `insert into app.messages (organisation_id, conversation_id, run_id, author, text)
     select organisation_id, conversation_id, id, 'person', repeat(chr(1), 31990) || n
     from app.runs, generate_series(1, 40) n where id = $1`,
    [run.id],
  );
  const { rows, pages, largest } = await walk(ada, `/runs/${run.id}/messages`);
  expect(rows.map(({ text }) => text.slice(31_990))).toEqual([
    ...Array.from({ length: 40 }, (_, each) => String(40 - each)),
    "",
  ]);
  expect(largest).toBeLessThan(1.2 * mega);
  expect(pages).toBe(8); // five messages of 192 KB each fill 1 MB
});

test("list_memories returns each large memory once, with and without a search", async () => {
  const ada = await here.owner();
  await here.db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     select $1, 'organisation', 'note', 'Harbour ' || n, 'harbour ' || repeat(chr(1), 3900), 'member', 'test'
     from generate_series(1, 120) n`,
    [ada.organisation.id],
  );
  for (const path of ["/memories", "/memories?q=harbour"]) {
    const { rows, pages, largest } = await walk(ada, path);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(120);
    expect(rows).toHaveLength(120);
    expect(largest).toBeLessThan(1.1 * mega);
    expect(pages).toBeGreaterThan(2);
  }
});
