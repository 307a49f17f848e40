import { expectRefusal } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";
import { makeMember, noteModels, setLimits } from "../support/database.ts";
import { type Hook, hookInbox } from "../support/hook-inbox.ts";
import { signed } from "../support/sign.ts";

const here = apiOfFile();
const { hook, send, runsOf, saidIn } = hookInbox(here);
const set = ({ ada }: Hook, column: string, value: unknown) =>
  here.db.sql(`update app.organisations set ${column} = $2 where id = $1`, [ada.organisation.id, value]);

test("receive_hook of a paused hook returns conflict, and replays what it accepted before", async () => {
  const at = await hook();
  const first = await send(at, signed(at.secret, "Hello", { id: "d1" }));
  await at.ada.patch(`/hooks/${at.id}`, { state: "paused" });
  expectRefusal(await send(at, signed(at.secret, "Hello again", { id: "d2" })), "conflict");
  expect((await send(at, signed(at.secret, "Hello", { id: "d1" }))).body).toEqual(first.body);
  await at.ada.patch(`/hooks/${at.id}`, { state: "active" });
  expect((await send(at, signed(at.secret, "Hello again", { id: "d2" }))).status).toBe(202);
});

test.each<
  [
    string,
    "payment_required" | "quota_exceeded" | "unavailable",
    (at: Hook) => Promise<unknown>,
    (at: Hook) => Promise<unknown>,
  ]
>([
  [
    "no payment",
    "payment_required",
    (at) => set(at, "billing_state", "none"),
    (at) => set(at, "billing_state", "active"),
  ],
  [
    "the hourly limit",
    "quota_exceeded",
    (at) => setLimits(here.db, at.ada.organisation.id, { webhookStartsPerHour: 0 }),
    (at) => setLimits(here.db, at.ada.organisation.id, { webhookStartsPerHour: 1 }),
  ],
  [
    "no executor",
    "unavailable",
    async (at) => {
      await noteModels(here.db, "unserved");
      await at.ada.patch(`/bots/${at.botId}`, { model: "unserved" });
    },
    (at) => at.ada.patch(`/bots/${at.botId}`, { model: "recall" }),
  ],
])(
  "receive_hook refuses a message for %s, and accepts the same message afterwards",
  async (_story, code, begin, end) => {
    const at = await hook();
    await begin(at);
    const posted = signed(at.secret, "Hello", { id: "d1" });
    expectRefusal(await send(at, posted), code);
    expect(await runsOf(at)).toEqual([]);
    await end(at);
    expect((await send(at, posted)).status).toBe(202);
  },
);

test("Runs of hooks have an hourly limit of their own", async () => {
  const at = await hook();
  await setLimits(here.db, at.ada.organisation.id, { runStartsPerHour: 0 });
  await setLimits(here.db, at.ada.organisation.id, { routineStartsPerHour: 0 });
  expect((await send(at, signed(at.secret, "Hello"))).status).toBe(202);
});

test.each([
  ["demoted", "creator_not_admin", (at: Hook, grace: string) => at.ada.patch(`/members/${grace}`, { role: "member" })],
  ["without the bot", "bot_not_visible", (at: Hook) => at.ada.patch(`/bots/${at.botId}`, { visibility: "personal" })],
])("A hook is paused with a reason when its creator is %s", async (_story, reason, begin) => {
  const at = await hook();
  const grace = await makeMember(here.db, at.ada.organisation.id, "admin");
  const theirs = await here.another(at.ada, "admin", grace);
  const { id, secret } = (await theirs.post("/hooks", { botId: at.botId, name: "Grace's" })).body;
  expect((await send({ id }, signed(secret, "Hello"))).status).toBe(202);
  await begin(at, grace);
  expectRefusal(await send({ id }, signed(secret, "Hello?")), "conflict");
  expect((await at.ada.get(`/hooks/${id}`)).body).toMatchObject({ state: "paused", pauseReason: reason });
  expect(await runsOf(at)).toHaveLength(1);
});

test.each<[string, string | Buffer]>([
  ["empty", ""],
  ["too long", "a".repeat(32_001)],
  ["U+0000", "a\0b"],
  ["no UTF-8", Buffer.from([0xc3, 0x28])],
])("receive_hook returns invalid_request for a body that is %s", async (_story, raw) => {
  const at = await hook();
  expectRefusal(await send(at, signed(at.secret, raw)), "invalid_request", ["body"]);
  expect(await runsOf(at)).toEqual([]);
});

test("receive_hook accepts 32,000 characters of up to four bytes", async () => {
  const at = await hook();
  for (const raw of ["é".repeat(32_000), "𝒳".repeat(32_000)]) {
    const { runId } = (await send(at, signed(at.secret, raw))).body;
    expect(await saidIn(at, runId)).toEqual([raw]);
  }
  expectRefusal(await send(at, signed(at.secret, "𝒳".repeat(32_001))), "invalid_request", ["body"]);
});

test("receive_hook refuses a body over 1 MB and a compressed one", async () => {
  const at = await hook();
  expectRefusal(await send(at, signed(at.secret, "a".repeat(1024 * 1024))), "invalid_request", ["body"]);
  expectRefusal(await send(at, signed(at.secret, "a".repeat(1024 * 1024 + 1))), "payload_too_large");
  const packed = signed(at.secret, "Hello", { headers: { "content-encoding": "gzip" } });
  expectRefusal(await send(at, packed), "invalid_request", ["headers.content-encoding"]);
});

test("receive_hook with another method than POST returns 405", async () => {
  const at = await hook();
  for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
    const reply = await here.api.call(method, `/hooks/${at.id}/receive`);
    expectRefusal(reply, "not_supported");
    expect(reply.headers.get("allow")).toBe("POST");
  }
});
