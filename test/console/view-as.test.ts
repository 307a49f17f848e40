/** viewAs: responses under the policies of a person, read-only, with an entry in the operator log. */
import { parseViewAs } from "../../src/console/view-as.ts";
import { type Seeded, seedOrganisation, seedService } from "../sql/seed.ts";
import { type TestApi, testApi } from "../support/api.ts";
import { mintToken, type TestConsole, testConsole } from "../support/console.ts";
import { makeKey, makeMember, type TestDatabase, testDatabase } from "../support/database.ts";
import { untilReadable } from "../support/events.ts";
import { type OperatorLogin, operatorLogin } from "../support/operator-login.ts";
import { mutation } from "./operator-action-cases.ts";

let db: TestDatabase;
let api: TestApi;
let testServer: TestConsole;
let operator: OperatorLogin;
let seeded: Seeded;
let token: string;

beforeAll(async () => {
  db = await testDatabase();
  [api, testServer, operator] = await Promise.all([testApi(db), testConsole(db), operatorLogin(db)]);
  await seedService(db);
  seeded = await seedOrganisation(db);
  token = (await mintToken(db, "act")).text;
  await untilReadable(db, { organisationId: seeded.ids.organisation ?? "" }); // so that both requests read the same events
}, 60_000);

afterAll(async () => {
  await testServer.stop();
  await api.stop();
  await db.drop();
});

const view = (person: string, path: string) =>
  testServer.ask(mutation("viewAs"), token, {
    input: { organisation: seeded.ids.organisation, person, path, reason: "Ticket 9" },
  });

const paths = [
  ...["/organisation", "/keys", "/bots", "/bots/:bot", "/bots/:personal_bot", "/memories", "/memories?q=are"],
  ...["/memories?scope=member", "/memories/:own_memory", "/memories/:colleague_memory", "/memories/:memory/history"],
  ...["/runs", "/runs/:run", "/runs/:colleague_run/messages", "/runs/:personal_run", "/runs/:run/steps", "/approvals"],
  ...["/approvals/:colleague_approval", "/webhooks", "/webhooks/:endpoint/deliveries?limit=1", "/deliveries/:delivery"],
  ...["/webhooks/:endpoint/stats", "/members", "/invitations?status=all", "/routines", "/hooks", "/events"],
];

test.each(["owner", "colleague"])("viewAs returns to the %s what the API returns to their key", async (who) => {
  const person = seeded.ids[who] ?? "";
  const key = (await makeKey(db, seeded.ids.organisation ?? "", person)).text;
  await api.call("GET", "/me", { key }); // records its last use before keys are compared
  const differences: string[] = [];
  for (const path of paths.map((one) => one.replaceAll(/:(\w+)/g, (_, name: string) => seeded.ids[name] ?? name))) {
    const [rest, viewed] = [await api.call("GET", path, { key }), await view(person, path)];
    const actual = viewed.errors ? { code: viewed.errors[0]?.extensions?.code } : viewed.data.viewAs.result;
    const expected = rest.status === 200 ? rest.body : { code: rest.body.error.code };
    // Every transaction of the server moves this cursor, including those of other tests.
    if (path === "/events") expected.nextCursor = expect.stringMatching(/^[0-9a-f]+$/);
    try {
      expect(actual).toEqual(expected);
    } catch (error) {
      differences.push(`${path}: ${(error as Error).message}`);
    }
  }
  expect(differences).toEqual([]);
});

test("operator.view_as refuses a path that is a URL", async () => {
  for (const path of ["https://elsewhere.example/me", "//elsewhere.example/me", "/\\elsewhere", "/me?\nx", "me"]) {
    const call = operator.perform("view_as($1, $2, 'get_me', '{}', $3, 'Because')", [
      seeded.ids.organisation,
      seeded.owner,
      path,
    ]);
    await expect([path, await call.catch((error: { message: string }) => error.message)]).toEqual([path, "not_found"]);
  }
});

test("a query can contain question marks", () => {
  expect(parseViewAs("/memories?q=who?+and+why?").input).toMatchObject({ q: "who? and why?" });
});

test("viewAs applies the policies of the person, not of the operator", async () => {
  const { owner = "", colleague = "", own_memory, colleague_memory } = seeded.ids;
  for (const [person, visible, hidden] of [
    [owner, own_memory, colleague_memory],
    [colleague, colleague_memory, own_memory],
  ]) {
    expect((await view(person ?? "", `/memories/${visible}`)).data.viewAs.result.id).toBe(visible);
    expect((await view(person ?? "", `/memories/${hidden}`)).errors?.[0]?.extensions?.code).toBe("not_found");
  }
});

test("viewAs works for a member without keys, with scope read", async () => {
  const person = await makeMember(db, seeded.ids.organisation ?? "", "member");
  expect((await view(person, "/bots")).data.viewAs.result.data.length).toBeGreaterThan(0);
  expect((await view(person, "/keys")).errors?.[0]?.extensions?.code).toBe("forbidden");
});

test.each([
  ["a person outside the organisation", () => "00000000-0000-7000-8000-000000000000", "/bots"],
  ["an unknown path", () => seeded.owner, "/nothing"],
  ["a path of the platform", () => seeded.owner, "/platform/organisations"],
  ["an absolute URL", () => seeded.owner, "https://elsewhere.example/me"],
  ["a URL without a scheme", () => seeded.owner, "//elsewhere.example/me"],
  ["a URL with backslashes", () => seeded.owner, "/\\\\elsewhere.example/me"],
  ["a path with a line break", () => seeded.owner, "/me?\nhttps://elsewhere.example"],
  ["a stream", () => seeded.owner, "/runs/00000000-0000-7000-8000-000000000000/events"],
  ["a path that needs POST", () => seeded.owner, "/batch"],
])("%s is refused with not_found, and nothing is logged", async (_, person, path) => {
  const logEntries = () => db.sql("select from app.operator_actions where action = 'view_as'");
  const before = (await logEntries()).length;
  expect((await view(person(), path)).errors?.[0]?.extensions?.code).toBe("not_found");
  expect(await logEntries()).toHaveLength(before);
});

test("viewAs refuses operations that write, and runs reads in a read-only transaction", async () => {
  const call = (operation: string, input: object) =>
    operator.perform("view_as($1, $2, $3, $4, '/x', 'Because')", [
      seeded.ids.organisation,
      seeded.owner,
      operation,
      input,
    ]);
  await expect(call("create_bot", { name: "Forged" })).rejects.toMatchObject({ code: "OA001", message: "not_found" });
  const [original] = await db.sql<{ text: string }>("select pg_get_functiondef('api.list_bots'::regproc) as text");
  for (const write of [
    "update app.organisations set name = 'Changed' where id = caller.organisation_id() returning name",
    "delete from app.memories returning value",
    "select erasure.erase('organisation', 'We')::text",
  ]) {
    await db.sql(`create or replace function api.list_bots(input jsonb) returns text language sql as $$ ${write} $$`);
    await expect(call("list_bots", {})).rejects.toMatchObject({ code: "25006" });
  }
  await db.sql(original?.text ?? "");
  expect(await db.sql("select from app.bots where name = 'Forged'")).toEqual([]);
  expect(await db.sql("select from app.organisations where name = 'Changed'")).toEqual([]);
});

test("each view is logged with operator, person, path and reason, without its query", async () => {
  for (const query of ["?subject=Mrs+Miller&limit=7", "#Mrs+Miller"]) {
    expect((await view(seeded.owner, `/memories${query}`)).errors).toBeUndefined();
    const [last] = await db.sql(
      "select operator, subject_id, arguments, reason from app.operator_actions where action = 'view_as' order by id desc limit 1",
    );
    expect(last).toEqual({
      operator: "Otto act",
      subject_id: seeded.owner,
      arguments: { path: "/memories" },
      reason: "Ticket 9",
    });
  }
});
