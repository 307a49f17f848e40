/** Consecutive creations of memories in a batch are one statement. It must not show. (docs/specification/batch.md) */
import fc from "fast-check";
import { expectAnswer, statusesOf } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { absent } from "../support/requests.ts";

const here = apiOfFile();

const memory = { scope: "organisation", kind: "fact", subject: "Opening hours", value: "Nine to five." };
const create = (changes: Json = {}): Json => ({ method: "POST", path: "/memories", body: { ...memory, ...changes } });

/** An organisation in which everything that the generated operations name exists. */
async function prepared(): Promise<{ member: Member; ids: Record<string, string> }> {
  const member = await here.owner();
  const make = async (path: string, body: Json): Promise<string> => (await member.post(path, body)).body.id;
  const ids = {
    BOT: await make("/bots", { name: "Ada" }),
    DELETED: await make("/bots", { name: "Former" }),
    MEMORY: await make("/memories", memory),
    ENDPOINT: await make("/webhooks", { url: "https://receiver.example/", events: ["run.finished"] }),
    FOREIGN: await (await here.owner()).post("/bots", { name: "Theirs" }).then(({ body }) => body.id),
  };
  await member.delete(`/bots/${ids.DELETED}`);
  return { member, ids };
}

const words = fc.constantFrom("Opening hours", "opening-hours", "Prices", '«Größe»\n"quoted" \\ 🚢');
/** Ids are placeholders, since the two organisations have different ones. */
const operation: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .record({ subject: words, value: words, confidence: fc.constantFrom(0, 0.5, 1) })
      .map((changes) => create(changes)),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom("BOT", "BOT", "DELETED", "FOREIGN", absent)
      .map((botId) => create({ scope: "bot", botId })),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      create({ subjectKind: "third_party", kind: "health" }), // restricted
      create({ value: "" }),
      create({ scope: "bot" }),
      create({ validTo: "2030-01-01T00:00:00.000Z", lawfulBasis: "consent" }),
      { method: "DELETE", path: "/memories" },
      { method: "GET", path: "/bots/no-uuid" },
    ),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      { method: "GET", path: "/memories?limit=3" },
      { method: "PATCH", path: "/memories/MEMORY", body: { value: "Changed." } },
      { method: "DELETE", path: "/memories/MEMORY" },
      { method: "DELETE", path: "/bots/BOT" },
      { method: "POST", path: "/bots", body: { name: "Grace" } },
      { method: "POST", path: "/keys", body: { name: "CI" } }, // reaches its limit
      { method: "POST", path: "/runs", body: { botId: "BOT", message: "Hi" } },
      { method: "POST", path: "/webhooks/ENDPOINT/test" },
    ),
  },
);

/** Without two consecutive creations: each operation is performed by itself. */
const separated = (operations: Json[]): Json[] =>
  operations.flatMap((each) => [each, { method: "GET", path: "/memories?limit=1&subject=none" }]);
const withoutSeparators = (results: Json[]) => results.filter((_, place) => place % 2 === 0);

async function perform(operations: Json[], atomic: boolean, isSeparated: boolean): Promise<string> {
  const { member, ids } = await prepared();
  const named = JSON.parse(
    JSON.stringify(operations).replaceAll(/BOT|DELETED|MEMORY|ENDPOINT|FOREIGN/g, (name) => ids[name] ?? ""),
  );
  const { results } = expectAnswer(
    "batch",
    await member.post("/batch", { atomic, operations: isSeparated ? separated(named) : named }),
  );
  const rows: Json = {};
  for (const [table, without] of Object.entries(tables)) {
    rows[table] = await here.db.sql(
      `select to_jsonb(stored) - $2::text[] as row from app.${table} stored where organisation_id = $1 order by id`,
      [member.organisation.id, without],
    );
  }
  return comparable({ ids, results: isSeparated ? withoutSeparators(results) : results, rows });
}

/** Tables to compare, and columns that differ in any case. */
const tables = {
  memories: [],
  memory_history: [],
  audit_log: ["hash"],
  events: [],
  deliveries: [],
  runs: [],
  bots: [],
};

/** As text, with each id as the number of its first place, and without times, keys, cursors and ETags, which depend on ids. */
function comparable(value: Json): string {
  const numbers = new Map<string, number>();
  return JSON.stringify(value, null, 1)
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (!numbers.has(id)) numbers.set(id, numbers.size);
      return `id ${numbers.get(id)}`;
    })
    .replaceAll(/"contentDigest": ?"[0-9a-f]{64}"/g, '"contentDigest":"digest"') // of secrets, which differ
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)/g, "time")
    .replaceAll(/bsk_\w+/g, "key")
    .replaceAll(/[0-9a-f]{32}(?=\\"")/g, "etag")
    .replaceAll(/"nextCursor": "\w+"/g, '"nextCursor": "cursor"');
}

test("Any batch has the answers, rows, events and log entries that it has with its operations performed one by one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 25 }), fc.boolean(), async (operations, atomic) => {
      const [together, alone] = [await perform(operations, atomic, false), await perform(operations, atomic, true)];
      expect(together).toBe(alone);
    }),
    { numRuns: 25 },
  );
  expect(await here.db.sql("select * from audit.verify_chain()")).toEqual([]);
  expect(await here.db.sql("select from app.audit_pending_entries")).toEqual([]);
});

test("Consecutive creations of memories are one statement, unless one of them is refused", async () => {
  const statements = async (operations: Json[]): Promise<[statements: number, statuses: number[]]> => {
    const ada = await here.owner();
    const { results } = expectAnswer("batch", await ada.post("/batch", { operations }));
    const rows = await here.db.sql(
      "select distinct xmin::text, cmin::text from app.memories where organisation_id = $1",
      [ada.organisation.id],
    );
    return [rows.length, statusesOf(results)];
  };
  const invalid = create({ value: "" });
  const restricted = create({ subjectKind: "third_party", kind: "health" });
  expect(await statements(Array(50).fill(create()))).toEqual([1, Array(50).fill(201)]);
  expect(await statements([create(), create(), invalid, create(), create()])).toEqual([2, [201, 201, 400, 201, 201]]);
  expect(await statements([create(), restricted, create()])).toEqual([2, [201, 403, 201]]);
});
