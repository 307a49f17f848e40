/** Managing inbound hooks. For posts to a hook see hook-inbox.test.ts. */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { anOwnerWithBot } from "../support/resources.ts";
import { signed } from "../support/sign.ts";
import { twoProcesses } from "../support/two-processes.ts";

const here = apiOfFile();
const { atOnce } = twoProcesses(here);

async function withHook(): Promise<[Member, Json, string]> {
  const [ada, botId] = await anOwnerWithBot(here);
  const { secret, ...hook } = (await ada.post("/hooks", { botId, name: "Alerts" })).body;
  return [ada, hook, secret];
}

const post = (hook: Json, secret: string, raw = "The crane stands still.") =>
  here.api.call("POST", `/hooks/${hook.id}/receive`, { idempotencyKey: null, ...signed(secret, raw) });

test("A hook is created, read, listed, renamed and deleted, and its secret is shown once", async () => {
  const [ada, botId] = await anOwnerWithBot(here);
  const reply = await ada.post("/hooks", { botId, name: "Alerts" }, { idempotencyKey: "one hook" });
  const { secret, ...hook } = expectAnswer("create_hook", reply);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect((await ada.post("/hooks", { botId, name: "Alerts" }, { idempotencyKey: "one hook" })).text).toBe(reply.text);
  expect(hook).toEqual({
    id: hook.id,
    botId,
    name: "Alerts",
    path: `/api/v1/hooks/${hook.id}/receive`,
    state: "active",
    pauseReason: null,
    secretLostSince: null,
    lastReceivedAt: null,
    lastRunId: null,
    createdBy: ada.organisation.ownerId,
    createdAt: hook.createdAt,
  });
  expect(expectAnswer("get_hook", await ada.get(`/hooks/${hook.id}`))).toEqual(hook);
  const other = (await ada.post("/bots", { name: "Other" })).body.id;
  const { secret: _, ...second } = (await ada.post("/hooks", { botId: other, name: "More" })).body;
  expect(expectAnswer("list_hooks", await ada.get("/hooks")).data).toEqual([second, hook]);
  expect((await ada.get(`/hooks?botId=${other}`)).body.data).toEqual([second]);
  expect(expectAnswer("update_hook", await ada.patch(`/hooks/${hook.id}`, { name: "Notices" }))).toEqual({
    ...hook,
    name: "Notices",
  });
  expect(expectAnswer("delete_hook", await ada.delete(`/hooks/${hook.id}`))).toEqual({ id: hook.id, deleted: true });
  for (const gone of [
    await ada.get(`/hooks/${hook.id}`),
    await ada.delete(`/hooks/${hook.id}`),
    await ada.patch(`/hooks/${hook.id}`, { name: "Back" }),
    await ada.post(`/hooks/${hook.id}/rotate`),
  ]) {
    expectRefusal(gone, "not_found");
  }
  expect((await ada.get("/hooks")).body.data).toEqual([second]);
});

test("rotate_hook_secret makes the new secret valid and the old one invalid at once", async () => {
  const [ada, hook, old] = await withHook();
  const rotated = expectAnswer("rotate_hook_secret", await ada.post(`/hooks/${hook.id}/rotate`));
  const { secret, ...row } = rotated;
  expect(secret).not.toBe(old);
  expect(row).toEqual(hook);
  expectRefusal(await post(hook, old), "unauthenticated");
  expect((await post(hook, secret)).status).toBe(202);
});

test("Another admin may pause and delete a person's hook, but not rename, rotate or resume it", async () => {
  const [ada, hook, secret] = await withHook();
  const grace = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
  expect((await grace.get(`/hooks/${hook.id}`)).body).toEqual(hook);
  expectRefusal(await grace.patch(`/hooks/${hook.id}`, { name: "Theirs" }), "forbidden");
  expectRefusal(await grace.post(`/hooks/${hook.id}/rotate`), "forbidden");
  expect((await post(hook, secret)).status).toBe(202);
  expect((await grace.patch(`/hooks/${hook.id}`, { state: "paused" })).body.state).toBe("paused");
  expectRefusal(await grace.patch(`/hooks/${hook.id}`, { state: "active" }), "forbidden");
  expectAnswer("delete_hook", await grace.delete(`/hooks/${hook.id}`));
});

test("create_hook needs a bot that its person may see and talk to", async () => {
  const [ada] = await anOwnerWithBot(here);
  const grace = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
  const hidden = (await ada.post("/bots", { name: "Mine", visibility: "personal" })).body.id;
  const silent = (await ada.post("/bots", { name: "Silent", directConversation: "owner" })).body.id;
  const [, foreign] = await anOwnerWithBot(here);
  for (const botId of [hidden, silent, foreign]) {
    expectRefusal(await grace.post("/hooks", { botId, name: "Alerts" }), "not_found");
  }
  const own = (await ada.post("/hooks", { botId: hidden, name: "Alerts" })).body;
  expect((await grace.get("/hooks")).body.data).toEqual([]);
  expectRefusal(await grace.get(`/hooks/${own.id}`), "not_found");
  expectRefusal(await grace.delete(`/hooks/${own.id}`), "not_found");
});

test.each([
  [{ name: "" }, "body.name"],
  [{ name: "a".repeat(61) }, "body.name"],
  [{ botId: "guide" }, "body.botId"],
])("create_hook with %j names the invalid field", async (more, path) => {
  const [ada, botId] = await anOwnerWithBot(here);
  expectRefusal(await ada.post("/hooks", { botId, name: "Alerts", ...more }), "invalid_request", [path]);
});

test("Of sixteen create_hook calls at once in two processes ten succeed, and a deletion makes room for one", async () => {
  const [ada, botId] = await anOwnerWithBot(here);
  const body = { botId, name: "Alerts" };
  const replies = await atOnce(16, (api) => api.call<Json>("POST", "/hooks", { key: ada.key.text, body }));
  const made = replies.filter(({ status }) => status === 201);
  expect(made).toHaveLength(10);
  for (const reply of replies.filter(({ status }) => status !== 201)) expectRefusal(reply, "quota_exceeded");
  expect((await ada.get("/me")).body.limits.liveHooks).toEqual({ limit: 10, used: 10 });
  await ada.delete(`/hooks/${made[0]?.body.id}`);
  expectAnswer("create_hook", await ada.post("/hooks", body));
  expectRefusal(await ada.post("/hooks", body), "quota_exceeded");
});
