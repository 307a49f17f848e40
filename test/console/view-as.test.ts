/** viewAs: a link to a read-only portal session with the policies of a person. (docs/specification/portal.md#view-as) */
import { operations } from "../../src/contract/operations.ts";
import { reasonHeader } from "../../src/contract/reasons.ts";
import { type Seeded, seedOrganisation, seedService } from "../sql/seed.ts";
import { type TestApi, testApi } from "../support/api.ts";
import { mintToken, type TestConsole, testConsole } from "../support/console.ts";
import { makeKey, makeMember, type TestDatabase, testDatabase } from "../support/database.ts";
import { callAs, enter, openSession, type PortalSession } from "../support/portal-session.ts";
import { mutation } from "./operator-action-cases.ts";

let db: TestDatabase;
let api: TestApi;
let testServer: TestConsole;
let seeded: Seeded;
let token: string;

beforeAll(async () => {
  db = await testDatabase();
  api = await testApi(db);
  testServer = await testConsole(db, { BASE_URL: "https://api.example.com" });
  await seedService(db);
  seeded = await seedOrganisation(db);
  token = (await mintToken(db, "act")).text;
});

afterAll(async () => {
  await testServer.stop();
  await api.stop();
  await db.drop();
});

const linkTo = (person: string, { by = token, organisation = seeded.ids.organisation } = {}) =>
  testServer.ask(mutation("viewAs"), by, { input: { organisation, person, reason: "Ticket 9" } });

type View = PortalSession & { id: string };

async function viewAs(person: string, by = token): Promise<View> {
  const { data, errors } = await linkTo(person, { by });
  expect(errors).toBeUndefined();
  const { id, url } = data.viewAs.result;
  return { id, ...(await openSession(api.url, url)) };
}

const read = (view: View, path: string) => callAs(api.url, view, path);
const reasonOf = ({ headers }: { headers: Headers }) => headers.get(reasonHeader);

const paths = [
  ...["/organisation", "/keys", "/bots", "/bots/:bot", "/bots/:personal_bot", "/memories", "/memories?q=are"],
  ...["/memories?scope=member", "/memories/:own_memory", "/memories/:colleague_memory", "/memories/:memory/history"],
  ...["/runs", "/runs/:run", "/runs/:colleague_run/messages", "/runs/:personal_run", "/runs/:run/steps", "/approvals"],
  ...["/approvals/:colleague_approval", "/webhooks", "/webhooks/:endpoint/deliveries?limit=1", "/deliveries/:delivery"],
  ...["/webhooks/:endpoint/stats", "/members", "/invitations?status=all", "/routines", "/hooks", "/events"],
];

test.each(["owner", "colleague"])("a view as the %s reads what the API returns to their key", async (who) => {
  const person = seeded.ids[who] ?? "";
  const key = (await makeKey(db, seeded.ids.organisation ?? "", person)).text;
  await api.call("GET", "/me", { key }); // records its last use before keys are compared
  const view = await viewAs(person);
  const differences: string[] = [];
  for (const path of paths.map((one) => one.replaceAll(/:(\w+)/g, (_, name: string) => seeded.ids[name] ?? name))) {
    const [rest, viewed] = [await api.call("GET", path, { key }), await read(view, path)];
    const actual = viewed.status === 200 ? viewed.body : { code: viewed.body.error.code };
    const expected = rest.status === 200 ? rest.body : { code: rest.body.error.code };
    // Every transaction of the server moves this cursor, including transactions of other tests.
    if (path === "/events") expected.position = expect.stringMatching(/^[0-9a-f]+$/);
    try {
      expect(actual).toEqual(expected);
    } catch (error) {
      differences.push(`${path}: ${(error as Error).message}`);
    }
  }
  expect(differences).toEqual([]);
});

test("a view has the policies of the person, not of the operator", async () => {
  const { owner = "", colleague = "", own_memory, colleague_memory } = seeded.ids;
  for (const [person, visible, hidden] of [
    [owner, own_memory, colleague_memory],
    [colleague, colleague_memory, own_memory],
  ]) {
    const view = await viewAs(person ?? "");
    expect((await read(view, `/memories/${visible}`)).body.id).toBe(visible);
    expect((await read(view, `/memories/${hidden}`)).status).toBe(404);
  }
});

test("a view as a plain member reads no keys", async () => {
  const view = await viewAs(await makeMember(db, seeded.ids.organisation ?? "", "member"));
  expect((await read(view, "/bots")).body.data.length).toBeGreaterThan(0);
  expect(reasonOf(await read(view, "/keys"))).toBe("outside_portal_session");
});

test("the session says that it is read-only and an operator's, and names no operation that writes", async () => {
  const { body } = await read(await viewAs(seeded.owner), "/portal-session");
  expect(body).toMatchObject({ readOnly: true, byOperator: true, person: { id: seeded.owner }, role: "owner" });
  const methods = Object.fromEntries(operations.map(({ name, method }) => [name, method]));
  const names = Object.values(body.operations as Record<string, string[]>).flat();
  expect(names.filter((name) => methods[name] !== "get")).toEqual([]);
  expect(names).toContain("list_keys");
});

const writes = operations.filter(({ method, keyClass }) => method !== "get" && keyClass === "organisation");

test("every operation that writes is forbidden in a view, and changes nothing", async () => {
  const view = await viewAs(seeded.owner);
  const entries = () => db.sql("select from app.audit_log where organisation_id = $1", [seeded.ids.organisation]);
  const before = (await entries()).length;
  expect(writes.length).toBeGreaterThan(30);
  for (const { name, method, path } of writes) {
    const concrete = path.replaceAll(/\{\w+\}/g, seeded.ids.bot ?? "");
    const body = method === "delete" ? undefined : {};
    const answer = await callAs(api.url, view, concrete, { method: method.toUpperCase(), body });
    expect([name, answer.status, reasonOf(answer)]).toEqual([name, 403, "outside_portal_session"]);
  }
  expect((await entries()).length).toBe(before);
});

test("PostgreSQL lets no operation that reads write: their functions are not volatile", async () => {
  const reads = operations.filter(({ method, keyClass }) => method === "get" && keyClass === "organisation");
  expect(reads.length).toBeGreaterThan(30);
  const volatile = await db.sql(
    `select proname from pg_proc where pronamespace = 'api'::regnamespace and provolatile = 'v' and proname = any ($1)`,
    [reads.map(({ name }) => name)],
  );
  expect(volatile).toEqual([]);
});

test("the link is of the API's address, works once and within 5 minutes, and its session ends after 30", async () => {
  const { data } = await linkTo(seeded.owner);
  const { id, url, readOnly, createdBy, expiresAt, createdAt } = data.viewAs.result;
  expect(url).toMatch(/^https:\/\/api\.example\.com\/portal\/#bsl_[0-9A-Za-z]{49}$/);
  expect({ readOnly, createdBy }).toEqual({ readOnly: true, createdBy: null });
  expect(Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 60_000)).toBe(30);
  const view = { id, ...(await openSession(api.url, url)) };
  expect((await enter(api.url, url)).status).toBe(401);
  await db.sql("update app.portal_sessions set expires_at = now() where id = $1", [id]);
  expect((await read(view, "/bots")).status).toBe(401);
  const late = (await linkTo(seeded.owner)).data.viewAs.result;
  await db.sql("update app.portal_sessions set link_expires_at = now() where id = $1", [late.id]);
  expect((await enter(api.url, late.url)).status).toBe(401);
});

test.each([
  ["revoked", "update app.operator_tokens set revoked_at = now() where id = $1"],
  ["expired", "update app.operator_tokens set expires_at = now() where id = $1"],
])("a view ends when the operator's token is %s", async (what, statement) => {
  const own = await mintToken(db, "act", `Vic ${what}`);
  const view = await viewAs(seeded.owner, own.text);
  expect((await read(view, "/bots")).status).toBe(200);
  await db.sql(statement, [own.id]);
  expect((await read(view, "/bots")).status).toBe(401);
});

test("a view ends with the token that opened it, and not with another token of its name", async () => {
  const [first, second] = [await mintToken(db, "act", "Vera"), await mintToken(db, "act", "Vera")];
  const [ended, stays] = [await viewAs(seeded.owner, first.text), await viewAs(seeded.owner, second.text)];
  await db.sql("select operator.revoke_token($1)", [first.id]);
  expect((await read(ended, "/bots")).status).toBe(401);
  expect((await read(stays, "/bots")).status).toBe(200);
});

test("an admin of the organisation sees the view among its portal sessions, and can revoke it", async () => {
  const view = await viewAs(seeded.owner);
  const key = seeded.keys.admin.text;
  const { body } = await api.call("GET", `/portal-sessions/${view.id}`, { key });
  expect(body).toMatchObject({ personId: seeded.owner, createdBy: null, readOnly: true });
  expect((await api.call("DELETE", `/portal-sessions/${view.id}`, { key })).status).toBe(200);
  expect((await read(view, "/bots")).status).toBe(401);
});

test("an operator views a suspended organisation, which its own people cannot use", async () => {
  const view = await viewAs(seeded.owner);
  const suspend = (at: string) =>
    db.sql(`update app.organisations set suspended_at = ${at} where id = $1`, [seeded.ids.organisation]);
  await suspend("now()");
  const [viewed, own] = [await read(view, "/bots"), await api.call("GET", "/bots", { key: seeded.keys.admin.text })];
  await suspend("null");
  expect([viewed.status, own.status]).toEqual([200, 403]);
});

test("a person outside the organisation is refused with not_found, and nothing is logged", async () => {
  const other = await seedOrganisation(db);
  const count = async () => (await db.sql("select from app.operator_actions where action = 'view_as'")).length;
  const before = await count();
  for (const person of [other.owner, "00000000-0000-7000-8000-000000000000"]) {
    expect((await linkTo(person)).errors?.[0]?.extensions?.code).toBe("not_found");
  }
  expect(await count()).toBe(before);
});

test("the operator log and the organisation's audit log have the view, and neither has the link", async () => {
  const { data } = await linkTo(seeded.owner);
  const { id, url } = data.viewAs.result;
  const view = { id, ...(await openSession(api.url, url)) };
  await callAs(api.url, view, "/portal-session", { method: "DELETE" });
  const [logged] = await db.sql(
    `select operator, subject_id, arguments, reason from app.operator_actions
     where action = 'view_as' order by id desc limit 1`,
  );
  expect(logged).toEqual({ operator: "Otto act", subject_id: seeded.owner, arguments: {}, reason: "Ticket 9" });
  const entries = await db.sql(
    `select actor, operator, reason, action, after from app.audit_log
     where resource = 'portal_session' and resource_id = $1 order by sequence`,
    [id],
  );
  expect(entries).toMatchObject([
    { actor: "operator", operator: "Otto act", reason: "Ticket 9", action: "created", after: { readOnly: true } },
    { actor: "portal_session", operator: null, action: "updated", after: { revokedAt: expect.anything() } },
  ]);
  const words = JSON.stringify([logged, entries]).replaceAll(/"contentDigest":"[0-9a-f]{64}"/g, "");
  expect(words).not.toMatch(/bs[lx]_|[0-9a-f]{64}/);
});
