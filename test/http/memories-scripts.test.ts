/** Searching memories in scripts without spaces, and for parts of identifiers. (docs/specification/memories.md#search) */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expectAnswer } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";

const here = ownApiOfFile();

const hold = async (who: Member, value: string, subject = "Note"): Promise<string> =>
  expectAnswer("create_memory", await who.post("/memories", { scope: "organisation", kind: "fact", subject, value }))
    .id;

const find = async (who: Member, q: string): Promise<Json[]> =>
  expectAnswer("list_memories", await who.get(`/memories?q=${encodeURIComponent(q)}`)).data;

/** The parts of the value of the first result that are hits. */
async function hits(who: Member, q: string): Promise<string[]> {
  const [row] = await find(who, q);
  const parts: { text: string; hit: boolean }[] = row?.highlight.value ?? [];
  if (row) expect(parts.map(({ text }) => text).join("")).toBe(row.value);
  return parts.filter(({ hit }) => hit).map(({ text }) => text);
}

test.each<[string, string, string]>([
  ["Chinese", "客户要求我们在下周一之前发送合同", "客户"],
  ["Chinese, inside", "客户要求我们在下周一之前发送合同", "合同"],
  ["Chinese, between words", "客户要求我们在下周一之前发送合同", "下周"],
  ["Chinese, one character", "客户要求我们在下周一之前发送合同", "送"],
  ["Chinese, the last character", "客户要求我们在下周一之前发送合同", "同"],
  ["Japanese", "東京都庁舎の会議室は三階にあります", "会議"],
  ["Japanese, inside a compound", "東京都庁舎の会議室は三階にあります", "都庁"],
  ["Japanese, katakana", "新しいデータベースサーバーを購入した", "サーバー"],
  ["Japanese, hiragana", "新しいデータベースサーバーを購入した", "しい"],
  ["Thai", "ลูกค้าต้องการใบเสนอราคาภายในวันศุกร์", "ราคา"],
  ["Thai, at the end", "ลูกค้าต้องการใบเสนอราคาภายในวันศุกร์", "วันศุกร์"],
  ["Thai, with combining vowels", "ลูกค้าต้องการใบเสนอราคาภายในวันศุกร์", "ต้องการ"],
  ["Korean, before a particle", "서울시청회의실은 삼층에 있습니다", "시청"],
  ["Lao", "ລູກຄ້າຕ້ອງການໃບສະເໜີລາຄາ", "ລາຄາ"],
  ["beyond the basic plane", "姓は𠮷野家です", "𠮷野"],
])("a search finds a word inside a phrase and marks it: %s", async (_, value, word) => {
  const ada = await here.owner();
  await hold(ada, value);
  await hold(ada, "The harbour office is open.");
  expect((await find(ada, word)).map((row) => row.value)).toEqual([value]);
  expect(await hits(ada, word)).toEqual([word]);
});

test("a search finds each script of a mixed text, beside emoji, digits and punctuation", async () => {
  const ada = await here.owner();
  const value = "新しいPostgreSQL18数据库🎉「サーバー」を、café横浜でใช้งาน.";
  await hold(ada, value);
  for (const q of ["postgresql18", "数据", "サーバー", "café", "横浜", "งาน"]) {
    expect([q, (await find(ada, q)).length]).toEqual([q, 1]);
    expect((await hits(ada, q)).map((hit) => hit.toLowerCase())).toEqual([q]);
  }
  for (const q of ["海", "東京", "🎉🎉"]) expect([q, await find(ada, q)]).toEqual([q, []]);
});

test("a question in a whole sentence finds the memory that shares most with it", async () => {
  const ada = await here.owner();
  await hold(ada, "会議室は三階にあります");
  await hold(ada, "食堂は一階にあります");
  const [first] = await find(ada, "会議室はどこですか");
  expect(first?.value).toBe("会議室は三階にあります");
});

test.each<[string, string[]]>([
  ["JIRA-1234 is about the crane", ["JIRA", "1234", "jira-1234", "JIRA-1234"]],
  ["Restart db-01.prod.eu at night", ["db-01", "prod", "eu", "db-01.prod.eu", "01"]],
  ["See https://docs.example.com/setup/linux?step=2", ["setup", "linux", "docs.example.com", "example"]],
  ["The file is /var/lib/botstead/postgres.log", ["botstead", "postgres", "lib"]],
  ["Write to jan.kowalski@example.com", ["kowalski", "jan.kowalski@example.com"]],
  ["Order PO_2026/11-77#4 was late", ["2026", "77", "po_2026"]],
])("a search finds parts of an identifier: %s", async (value, words) => {
  const ada = await here.owner();
  await hold(ada, value);
  await hold(ada, "The harbour office is open.");
  for (const q of words) {
    expect([q, (await find(ada, q)).map((row) => row.value)]).toEqual([q, [value]]);
    const marked = (await hits(ada, q)).join(" ");
    expect([q, marked.length > 0]).toEqual([q, true]);
  }
});

test("a highlight of a part of an identifier marks only the part", async () => {
  const ada = await here.owner();
  await hold(ada, "JIRA-1234 and db-01.prod.eu");
  expect(await hits(ada, "1234")).toEqual(["1234"]);
  expect(await hits(ada, "prod")).toEqual(["prod"]);
  expect(await hits(ada, "db-01.prod.eu")).toEqual(["db-01.prod.eu"]);
});

test("runs of the longest values are stored, found and marked", async () => {
  const ada = await here.owner();
  const run = `${"漢字".repeat(1990)}終点`;
  await hold(ada, run);
  await hold(ada, `${"a-".repeat(1995)}last`);
  expect((await find(ada, "終点")).map((row) => row.value)).toEqual([run]);
  expect(await hits(ada, "終点")).toEqual(["終点"]);
  expect(await hits(ada, "last")).toEqual(["last"]);
});

test("definitions with other lexemes, or with a mark that was never set, queue a rebuild of the memories that exist, once", async () => {
  const ada = await here.owner();
  const id = await hold(ada, "客户要求发送合同");
  await here.db.sql("update app.memories set search_vector = to_tsvector('simple', value) where id = $1", [id]);
  expect(await find(ada, "合同")).toEqual([]);
  const text = readFileSync(join(import.meta.dirname, "../../sql/jobs/search_vectors.sql"), "utf8");
  const queue = text.slice(text.indexOf("do $$"));
  const queued = async () =>
    (
      await here.db.sql(
        `select from graphile_worker._private_jobs where payload ->> 'organisationId' = $1
         and key = 'search_vectors:' || $1`,
        [ada.organisation.id],
      )
    ).length;
  await here.db.sql(queue);
  expect(await queued()).toBe(0); // as built
  await here.db.sql("comment on column app.memories.search_vector is 'Lexemes of before.'");
  await here.db.sql(queue);
  expect(await queued()).toBe(1);
  await here.db.sql("select jobs.rebuild_search_vectors($1, '00000000-0000-0000-0000-000000000000')", [
    ada.organisation.id,
  ]);
  expect((await find(ada, "合同")).map((row) => row.id)).toEqual([id]);
  await here.db.sql("delete from graphile_worker._private_jobs where key = 'search_vectors:' || $1", [
    ada.organisation.id,
  ]);
  await here.db.sql("comment on column app.memories.contested is 'Never marked.'");
  await here.db.sql(queue);
  expect(await queued()).toBe(1);
});
