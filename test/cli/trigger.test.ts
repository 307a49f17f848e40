/** `botstead trigger`: each kind of event that a key can make happen, and why the others cannot. (docs/integrators.md) */
import type { Pool } from "pg";
import { type Client, createClient } from "../../src/client/index.ts";
import { optInEvents } from "../../src/contract/opt-in-events.ts";
import type { Kind } from "../../src/tenant/kinds.ts";
import { makeEvent, triggers } from "../../src/tenant/trigger.ts";
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
    if (typeof make === "string") continue;
    const seen = (await kindsOf(who)).length;
    const member = kind === "member.removed" ? guest : colleague;
    const making = makeEvent(client, kind as Kind, { bot: who.bot, webhook, member });
    if (kind === "run.started") await eventually(async () => (await executor.lease()) !== null);
    expect(await making).toEqual(expect.any(String));
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
    "audit_stream.disabled",
    "member.added",
    "invitation.accepted",
    "organisation.deletion_scheduled",
    "organisation.deletion_cancelled",
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

test("an opt-in kind without a subscriber is written, and no endpoint is left", async () => {
  const { who, executor } = await workplace(here, pool);
  const { text } = await makeKey(here.db, who.organisation.id, who.organisation.ownerId, "admin");
  const client = clientOf(text);
  const colleague = await makeMember(here.db, who.organisation.id, "admin");
  for (const kind of ["key.revoked", "memory.created", "member.role_changed", "run.started"] as const) {
    const seen = (await kindsOf(who)).length;
    const making = makeEvent(client, kind, { bot: who.bot, member: colleague });
    if (kind === "run.started") await eventually(async () => (await executor.lease()) !== null);
    await making;
    expect((await kindsOf(who)).slice(seen)).toContain(kind);
  }
  expect((await client.get("/webhooks")).data).toEqual([]);
});

test("an opt-in kind fails before anything happens, if the limit of endpoints is reached", async () => {
  const ada = await here.owner();
  await setLimits(here.db, ada.organisation.id, { liveWebhooks: 0 });
  await expect(makeEvent(clientOf(ada.key.text), "memory.created", {})).rejects.toMatchObject({
    reason: "limit_webhooks",
  });
  expect(await here.db.sql("select from app.memories where organisation_id = $1", [ada.organisation.id])).toEqual([]);
});

test("the command has its exit codes, and names the nearest event", async () => {
  const ada = await here.owner();
  const key = await makeKey(here.db, ada.organisation.id, ada.organisation.ownerId, "write");
  const run = (bearer: string, ...args: string[]) =>
    runProgram(["trigger", ...args], { env: { BOTSTEAD_URL: here.api.url, BOTSTEAD_KEY: bearer } }).ending;
  expect(await run(ada.key.text, "key.revoked", "--json")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\{"event":"key.revoked","done":"key .* was created and revoked"\}\n$/),
    stderr: "",
  });
  for (const kind of ["memory.created", "key.created"]) {
    expect(await run(key.text, kind)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `${kind} is written only while an endpoint subscribes to it. trigger needs a key of scope admin.\n`,
    });
  }
  expect(await run(ada.key.text, "member.added")).toMatchObject({ code: 1, stdout: "" });
  const misspelled = { code: 2, stderr: expect.stringContaining("Did you mean memory.created?") };
  expect(await run(ada.key.text, "memory.create")).toMatchObject(misspelled);
  for (const wrong of ["", "constructor", "key.made", "webhook.test"])
    expect(await run(ada.key.text, wrong)).toMatchObject({ code: 2 });
});
