import { randomUUID } from "node:crypto";
import { expectRefused, expectSuccess, uuid } from "./client.ts";
import { aBot, aMember, anExecutor, anOrganisation, another, handModel, keyOf, runIn } from "./service.ts";
import { specifies } from "./specified.ts";

specifies("4-runs-message", async () => {
  const ours = await anOrganisation();
  const botId = await aBot(ours);
  const escaped = `{"botId":"${botId}","message":"${"\\u0444".repeat(32_000)}"}`;
  for (const message of ["x", "x".repeat(32_000), "字".repeat(32_000), "😀".repeat(32_000)]) {
    expectSuccess(await ours.post("/runs", { botId, message }), 202);
  }
  expectSuccess(await ours.post("/runs", undefined, { raw: escaped }), 202);
  for (const message of ["", "x".repeat(32_001), "😀".repeat(32_001), undefined, 1]) {
    expectRefused(await ours.post("/runs", { botId, message }), 400, "invalid_request", ["body.message"]);
  }
});

specifies("4-runs-bot", async () => {
  const ours = await anOrganisation();
  const theirs = await keyOf(ours, (await aMember(ours, "admin")).userId);
  const own = { directConversation: "owner" };
  for (const botId of [randomUUID(), await aBot(ours, { visibility: "personal" }), await aBot(ours, own)]) {
    expectRefused(await theirs.post("/runs", { botId, message: "Hello" }), 404, "not_found");
  }
  expectSuccess(await ours.post("/runs", { botId: await aBot(ours, own), message: "Hello" }), 202);
  expectRefused(await ours.post("/runs", { botId: "x", message: "Hello" }), 400, "invalid_request", ["body.botId"]);
});

specifies("4-runs-conversation", async () => {
  const ours = await anOrganisation();
  const theirs = await keyOf(ours, (await aMember(ours, "admin")).userId);
  const botId = await aBot(ours);
  const start = async ({ post }: typeof theirs): Promise<string> =>
    expectSuccess(await post("/runs", { botId, message: "Hello" }), 202).conversationId;
  const first = await start(ours);
  expect(await start(ours)).toBe(first);
  expect(await start(theirs)).not.toBe(first);
});

specifies("4-runs-list", async () => {
  const ours = await anOrganisation();
  const [one, two] = [await aBot(ours), await aBot(ours)];
  const start = async (botId: string) => expectSuccess(await ours.post("/runs", { botId, message: "Hello" }), 202).id;
  const [first, second] = [await start(one), await start(two)];
  for (const id of [first, second]) await runIn(ours, id, "completed");
  const ids = async (query: string) =>
    expectSuccess(await ours.get(`/runs${query}`)).data.map(({ id }: { id: string }) => id);
  expect(await ids("")).toEqual([second, first]);
  expect(await ids(`?botId=${one}`)).toEqual([first]);
  expect(await ids("?state=completed")).toEqual([second, first]);
  expect(await ids("?state=failed")).toEqual([]);
  expectRefused(await ours.get("/runs?state=done"), 400, "invalid_request", ["query.state"]);
});

specifies("4-runs-one", async () => {
  const [ours, theirs] = [await anOrganisation(), await anOrganisation()];
  const { id } = expectSuccess(await ours.post("/runs", { botId: await aBot(ours), message: "Hello" }), 202);
  expect(expectSuccess(await ours.get(`/runs/${id}`)).id).toBe(id);
  expectRefused(await theirs.get(`/runs/${id}`), 404, "not_found");
  expectRefused(await theirs.post(`/runs/${id}/cancel`), 404, "not_found");
});

specifies("4-runs-scopes", async () => {
  const ours = await anOrganisation();
  const [reader, writer] = [await another(ours, "read"), await another(ours, "write")];
  const botId = await aBot(ours);
  const { id } = expectSuccess(await writer.post("/runs", { botId, message: "Hello" }), 202);
  expectSuccess(await reader.get(`/runs/${id}`));
  expectSuccess(await reader.get("/runs"));
  expectRefused(await reader.post("/runs", { botId, message: "Hello" }), 401, "unauthenticated");
  expectRefused(await reader.post(`/runs/${id}/cancel`), 401, "unauthenticated");
  expectSuccess(await writer.post(`/runs/${id}/cancel`));
});

specifies("4-runs-tainted-memory", async () => {
  const ours = await anOrganisation();
  const executor = await anExecutor();
  const botId = await aBot(ours, { model: handModel });
  expectSuccess(await ours.post("/runs", { botId, message: "Hello", untrusted: true }), 202);
  const assignment = await executor.lease();
  if (!assignment) throw new Error("No run waits.");
  const memory = { scope: "organisation", kind: "fact", subject: "Harbour", value: "Closes at nine" };
  expect(await executor.propose(assignment, memory)).toEqual({ approvalId: uuid });
  expect(expectSuccess(await ours.get("/memories")).data).toEqual([]);
  await executor.finish(assignment);
});
