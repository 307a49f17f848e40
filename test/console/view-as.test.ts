/** To view as a person: what they see, under the walls that hold them, and nothing is written but that it was looked. */

import { readAs } from "../../src/console/view-as.ts";
import { type Seeded, seedOrganisation, seedService } from "../sql/seed.ts";
import { type Acting, acting } from "../support/acting.ts";
import { type TestApi, testApi } from "../support/api.ts";
import { mintToken, type TestConsole, testConsole } from "../support/console.ts";
import { makeKey, makeMember, type TestDatabase, testDatabase } from "../support/database.ts";
import { untilReadable } from "../support/events.ts";
import { mutation } from "./acts.ts";

let db: TestDatabase;
let api: TestApi;
let here: TestConsole;
let operator: Acting;
let seeded: Seeded;
let token: string;

beforeAll(async () => {
  db = await testDatabase();
  [api, here, operator] = await Promise.all([testApi(db), testConsole(db), acting(db)]);
  await seedService(db);
  seeded = await seedOrganisation(db);
  token = (await mintToken(db, "act")).text;
  await untilReadable(db, { organisationId: seeded.ids.organisation ?? "" }); // so that two readings are of the same events
}, 60_000);

afterAll(async () => {
  await here.stop();
  await api.stop();
  await db.drop();
});

const view = (person: string, path: string) =>
  here.ask(mutation("viewAs"), token, {
    input: { organisation: seeded.ids.organisation, person, path, reason: "Ticket 9" },
  });

const paths = [
  ...["/organisation", "/keys", "/bots", "/bots/:bot", "/bots/:personal_bot", "/memories", "/memories?q=are"],
  ...["/memories?scope=member", "/memories/:own_memory", "/memories/:colleague_memory", "/memories/:memory/history"],
  ...["/runs", "/runs/:run", "/runs/:colleague_run/messages", "/runs/:personal_run", "/runs/:run/steps", "/approvals"],
  ...["/approvals/:colleague_approval", "/webhooks", "/webhooks/:endpoint/deliveries?limit=1", "/deliveries/:delivery"],
  ...["/webhooks/:endpoint/stats", "/members", "/invitations?status=all", "/routines", "/hooks", "/events"],
];

test.each(["owner", "colleague"])("what the %s sees there is what their key sees over REST", async (who) => {
  const person = seeded.ids[who] ?? "";
  const key = (await makeKey(db, seeded.ids.organisation ?? "", person)).text;
  await api.call("GET", "/me", { key }); // so that its use is noted before the keys are compared
  const differ: string[] = [];
  for (const path of paths.map((one) => one.replaceAll(/:(\w+)/g, (_, name: string) => seeded.ids[name] ?? name))) {
    const [rest, told] = [await api.call("GET", path, { key }), await view(person, path)];
    const seen = told.errors ? { code: told.errors[0]?.extensions?.code } : told.data.viewAs.result;
    const expected = rest.status === 200 ? rest.body : { code: rest.body.error.code };
    // How far events can be read by now moves with every transaction of the server, of other tests too.
    if (path === "/events") expected.nextCursor = expect.stringMatching(/^[0-9a-f]+$/);
    try {
      expect(seen).toEqual(expected);
    } catch (error) {
      differ.push(`${path}: ${(error as Error).message}`);
    }
  }
  expect(differ).toEqual([]);
});

test("a query goes on behind a second question mark", () => {
  expect(readAs("/memories?q=who?+and+why?").input).toMatchObject({ q: "who? and why?" });
});

test("one sees what the other does not, so it is not the operator's own sight", async () => {
  const { owner = "", colleague = "", own_memory, colleague_memory } = seeded.ids;
  for (const [person, sees, misses] of [
    [owner, own_memory, colleague_memory],
    [colleague, colleague_memory, own_memory],
  ]) {
    expect((await view(person ?? "", `/memories/${sees}`)).data.viewAs.result.id).toBe(sees);
    expect((await view(person ?? "", `/memories/${misses}`)).errors?.[0]?.extensions?.code).toBe("not_found");
  }
});

test("a plain member, who can hold no key, is shown what needs no more than to read", async () => {
  const person = await makeMember(db, seeded.ids.organisation ?? "", "member");
  expect((await view(person, "/bots")).data.viewAs.result.data.length).toBeGreaterThan(0);
  expect((await view(person, "/keys")).errors?.[0]?.extensions?.code).toBe("forbidden");
});

test.each([
  ["a stranger", () => "00000000-0000-7000-8000-000000000000", "/bots"],
  ["a path that is none", () => seeded.owner, "/nothing"],
  ["a path of the platform", () => seeded.owner, "/platform/organisations"],
  ["a stream", () => seeded.owner, "/runs/00000000-0000-7000-8000-000000000000/events"],
  ["what takes a POST", () => seeded.owner, "/batch"],
])("%s is not found, and nothing is written down", async (_, person, path) => {
  const acts = () => db.sql("select from app.operator_acts where action = 'view_as'");
  const before = (await acts()).length;
  expect((await view(person(), path)).errors?.[0]?.extensions?.code).toBe("not_found");
  expect(await acts()).toHaveLength(before);
});

test("nothing can be written through it, neither by an operation that writes nor by a reading that would", async () => {
  const call = (operation: string, input: object) =>
    operator.act("view_as($1, $2, $3, $4, '/x', 'Because')", [seeded.ids.organisation, seeded.owner, operation, input]);
  await expect(call("create_bot", { name: "Forged" })).rejects.toMatchObject({ code: "OA001", message: "not_found" });
  const [kept] = await db.sql<{ text: string }>("select pg_get_functiondef('api.list_bots'::regproc) as text");
  for (const write of [
    "update app.organisations set name = 'Changed' where id = caller.organisation_id() returning name",
    "delete from app.memories returning value",
    "select caller.erase('organisation', 'We')::text",
  ]) {
    await db.sql(`create or replace function api.list_bots(input jsonb) returns text language sql as $$ ${write} $$`);
    await expect(call("list_bots", {})).rejects.toMatchObject({ code: "25006" });
  }
  await db.sql(kept?.text ?? "");
  expect(await db.sql("select from app.bots where name = 'Forged'")).toEqual([]);
  expect(await db.sql("select from app.organisations where name = 'Changed'")).toEqual([]);
});

test("each look is written down, with who, whom, what and why, and without what was asked for by name", async () => {
  for (const asked of ["?subject=Mrs+Miller&limit=7", "#Mrs+Miller"]) {
    expect((await view(seeded.owner, `/memories${asked}`)).errors).toBeUndefined();
    const [last] = await db.sql(
      "select operator, subject_id, arguments, reason from app.operator_acts where action = 'view_as' order by id desc limit 1",
    );
    expect(last).toEqual({
      operator: "Otto act",
      subject_id: seeded.owner,
      arguments: { path: "/memories" },
      reason: "Ticket 9",
    });
  }
});
