/** Every refusal of every resource. The table is error-matrix.ts. (docs/specification/conventions.md#errors) */
import { refusals } from "../../src/contract/refusals.ts";
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import { whileLocked } from "../contract/outage.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { type CallOptions, type Json, type Reply, type TestApi, testApi } from "../support/api.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { absent } from "../support/requests.ts";
import { eventually } from "../support/worker.ts";
import { fixtures } from "./error-fixtures.ts";
import { areas, matrix } from "./error-matrix.ts";

const here = ownApiOfFile();
let full: TestApi;
beforeAll(async () => {
  full = await testApi(here.db, {}, makeRateLimiter(Date.now, { ...specified, key: 0 }));
});
afterAll(() => full?.stop());

const created = async (ada: Member, path: string, body?: Json) => (await ada.post(path, body)).body.id as string;
const accepted = (area: string) => areas[area]?.body;

const makers: Record<string, (ada: Member) => Promise<string>> = {
  absent: async () => absent,
  self: async (ada) => ada.organisation.ownerId,
  key: (ada) => created(ada, "/keys", accepted("Keys")),
  bot: (ada) => created(ada, "/bots", { name: "Ada" }),
  memory: (ada) => created(ada, "/memories", accepted("Memories")),
  webhook: (ada) => created(ada, "/webhooks", accepted("Webhooks")),
  delivery: async (ada) => {
    const id = await created(ada, `/webhooks/${await makers.webhook?.(ada)}/test`);
    await here.db.sql("update app.deliveries set state = 'failed', next_attempt_at = null where id = $1", [id]);
    return id;
  },
  member: (ada) => makeMember(here.db, ada.organisation.id, "member"),
  invitation: (ada) => created(ada, "/invitations", { email: "nils@harbour.example" }),
};

/** An organisation with the rows that the request names in braces. */
async function about(request: string, body?: Json) {
  const ada = await here.owner();
  const rows: Record<string, string> = {};
  let text = JSON.stringify([request, body]);
  for (const [inBraces, name = ""] of text.matchAll(/\{(\w+)\}/g)) {
    rows[name] ??= (await makers[name]?.(ada)) ?? "";
    text = text.replaceAll(inBraces, rows[name]);
  }
  const [line, sent] = JSON.parse(text);
  const [method, path] = line.split(" ");
  const send = (options: CallOptions = {}, api = here.api): Promise<Reply<Json>> =>
    api.call(method, path, { key: ada.key.text, ...("raw" in options ? {} : { body: sent ?? undefined }), ...options });
  return { ada, rows, send };
}

test.each(Object.entries(areas))(
  "%s: the request that the matrix varies is accepted",
  async (_area, { operation, path, body }) => {
    const { send } = await about(`POST ${path}`, body);
    expectAnswer(operation, await send());
  },
);

// One argument per row: for a missing one Jest would pass its callback.
const rows = matrix.map((row) => ({ row, story: `${row[0]}: ${row[1]} ${row[2]} when ${row[3]}, ${row[4]}` }));
test.each(rows)("$story", async ({ row: [area, status, code, when, request, body] }) => {
  const { ada, rows, send } = await about(request, body);
  const arrange = fixtures[when];
  if (arrange) expect((await (await about(request, body)).send()).status).toBeLessThan(300);
  const operation = areas[area]?.operation ?? "";
  const { full: busy, afterwards, ...options } = (await arrange?.({ here, ada, rows, send, operation })) ?? {};
  const refused = await send(options, busy ? full : here.api);
  await afterwards?.();
  expectRefusal(refused, code);
  expect(refused.status).toBe(status);
});

/** The accepted request of each area, each in an organisation of its own. */
const ofEach = () => Promise.all(Object.values(areas).map(({ path, body }) => about(`POST ${path}`, body)));

test("Every area: 409 idempotency_in_progress while the first request is not answered", async () => {
  const all = await ofEach();
  const once = { idempotencyKey: "once" };
  const firsts = await whileLocked(here.db, ["app.idempotency_records"], "exclusive", async (waiting) => {
    const responses = all.map(({ send }) => send(once));
    await eventually(async () => (await waiting()) === all.length);
    for (const { send } of all) expectRefusal(await send(once), "idempotency_in_progress");
    return responses;
  });
  for (const first of firsts) expect((await first).status).toBeLessThan(300);
});

test("Every area: 503 unavailable while the database does not respond, and success afterwards", async () => {
  const all = await ofEach();
  const once = { idempotencyKey: "once" };
  await whileLocked(here.db, ["app.memberships"], "access exclusive", async () => {
    for (const refused of await Promise.all(all.map(({ send }) => send(once)))) expectRefusal(refused, "unavailable");
  });
  for (const { send } of all) expect((await send(once)).status).toBeLessThan(300);
});

test("The matrix and the two tests above cover every refusal code", () => {
  const seen = [...matrix.map(([, , code]) => code), "idempotency_in_progress", "unavailable"];
  expect([...new Set(seen)].toSorted()).toEqual(Object.keys(refusals).toSorted());
});
