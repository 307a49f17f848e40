/** `botstead trigger`: each kind of event that a key can make happen, and why the others cannot. (docs/integrators.md) */
import type { Pool } from "pg";
import { type Client, createClient } from "../../src/client/index.ts";
import { optInEvents } from "../../src/contract/opt-in-events.ts";
import { isKind, makeEvent, triggers } from "../../src/tenant/trigger.ts";
import { apiOfFile } from "../support/callers.ts";
import { makeKey, makeMember, setLimits } from "../support/database.ts";
import { workplace } from "../support/hand-executor.ts";
import type { Customer } from "../support/post-office.ts";
import { killPrograms, runProgram } from "../support/program.ts";
import { newEndpoint } from "../support/resources.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
let pool: Pool;
beforeAll(() => {
  pool = here.db.poolAs("runner");
});
afterAll(killPrograms);

const clientOf = (key: string): Client => createClient({ baseUrl: here.api.url, key });

/** An organisation with an endpoint for all kinds, and an executor. */
async function subscriber() {
  const { who, executor } = await workplace(here, pool);
  const webhook: string = (
    await who.ask("POST", "/webhooks", { ...newEndpoint, events: optInEvents.map(({ kind }) => kind) })
  ).body.id;
  const key = await makeKey(here.db, who.organisation.id, who.organisation.ownerId, "admin");
  return { who, executor, webhook, key, client: clientOf(key.text) };
}

const kindsOf = async ({ organisation }: Customer): Promise<string[]> =>
  (
    await here.db.sql<{ kind: string }>("select kind::text from app.events where organisation_id = $1 order by id", [
      organisation.id,
    ])
  ).map(({ kind }) => kind);

test("each kind that a key can make is written, and nothing is left behind", async () => {
  const { who, executor, webhook, client } = await subscriber();
  await setLimits(here.db, who.organisation.id, { liveKeys: 5 });
  const [colleague, guest] = [
    await makeMember(here.db, who.organisation.id, "admin"),
    await makeMember(here.db, who.organisation.id, "member"),
  ];
  const before = await client.get("/me");
  for (const [kind, make] of Object.entries(triggers)) {
    if (typeof make === "string" || !isKind(kind)) continue;
    const seen = (await kindsOf(who)).length;
    const member = kind === "member.removed" ? guest : colleague;
    const making = makeEvent(client, kind, { bot: who.bot, webhook, member });
    if (kind === "run.started") await eventually(async () => (await executor.lease()) !== null);
    expect(await making).toEqual({ done: expect.any(String), unsubscribed: false });
    expect([kind, (await kindsOf(who)).slice(seen).includes(kind)]).toEqual([kind, true]);
  }
  expect((await client.get("/me")).limits.liveKeys).toEqual(before.limits.liveKeys);
  expect((await client.get("/memories")).data).toEqual([]);
  expect((await client.get("/members/{userId}", { path: { userId: colleague } })).role).toBe("admin");
});

test("each other kind is refused with the reason, and nothing happens", async () => {
  const { who, client } = await subscriber();
  const seen = await kindsOf(who);
  const refused = Object.entries(triggers).filter(([, make]) => typeof make === "string");
  expect(refused.map(([kind]) => kind)).toEqual([
    "approval.needed",
    "run.blocked",
    "endpoint.disabled",
    "member.added",
    "invitation.accepted",
    "key.expiring",
  ]);
  for (const [kind, why] of refused) {
    await expect(makeEvent(client, kind as never, {})).rejects.toThrow(`trigger cannot make ${kind}. ${why}`);
  }
  expect(await kindsOf(who)).toEqual(seen);
});

test("a missing option, an owner and a limit without room are refused with what to do", async () => {
  const { who, client } = await subscriber();
  for (const [kind, option] of [
    ["run.finished", "bot"],
    ["webhook.test", "webhook"],
    ["member.role_changed", "member"],
  ] as const) {
    await expect(makeEvent(client, kind, {})).rejects.toThrow(`--${option}`);
  }
  const member = who.organisation.ownerId;
  await expect(makeEvent(client, "member.role_changed", { member })).rejects.toThrow("Name an admin or a member.");
  await setLimits(here.db, who.organisation.id, { liveKeys: 1 });
  await expect(makeEvent(client, "organisation.limit_reached", {})).rejects.toThrow("1 to 50 must be left.");
  await setLimits(here.db, who.organisation.id, { liveKeys: 60 });
  await expect(makeEvent(client, "organisation.limit_reached", {})).rejects.toThrow("1 to 50 must be left.");
});

test("the command says when no endpoint subscribes, and has its exit codes", async () => {
  const ada = await here.owner();
  const key = await makeKey(here.db, ada.organisation.id, ada.organisation.ownerId, "write");
  const run = (bearer: string, ...args: string[]) =>
    runProgram(["trigger", ...args], { env: { BOTSTEAD_URL: here.api.url, BOTSTEAD_KEY: bearer } }).ending;
  expect(await run(ada.key.text, "key.revoked", "--json")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\{"event":"key.revoked","done":"key .* was created and revoked"\}\n$/),
    stderr: "No endpoint subscribes to key.revoked, so the event was not written.\n",
  });
  expect(await run(key.text, "memory.created")).toMatchObject({ code: 0, stderr: "" }); // may not read endpoints
  expect(await run(key.text, "key.created")).toMatchObject({ code: 3 });
  expect(await run(ada.key.text, "member.added")).toMatchObject({ code: 1, stdout: "" });
  for (const wrong of ["constructor", "key.made", "webhook.test"])
    expect(await run(ada.key.text, wrong)).toMatchObject({ code: 2 });
});
