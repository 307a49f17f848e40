import { eventually } from "../support/worker.ts";
import { type Answer, anAddress, countsOf, expectRefused, expectSuccess, manyTimes } from "./client.ts";
import {
  aBot,
  anEndpoint,
  anOrganisation,
  another,
  asAdministrator,
  botstead,
  type Client,
  call,
  clientOf,
  setLimit,
} from "./service.ts";
import { specifies } from "./specified.ts";

/** Waits for a new minute unless the present one has this much left, so that a test's calls fall into one window. */
async function inOneMinute(seconds: number): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  // Time itself is tested: the windows are fixed minutes.
  if (left < seconds * 1000) await new Promise((resolve) => setTimeout(resolve, left + 50));
}

function expectLimited(answers: Answer[], accepted: number): void {
  const limited = answers.filter(({ status }) => status === 429);
  for (const answer of limited) expectRefused(answer, 429, "rate_limited");
  expect(answers.length - limited.length).toBe(accepted);
}

/** Requests that the key has left in this minute. */
const leftOf = async ({ get }: Client): Promise<number> =>
  Number(/"key";r=(\d+)/.exec((await get("/me")).headers.get("ratelimit") ?? "")?.[1]);

specifies("8-requests-of-a-key", async () => {
  const ours = await anOrganisation();
  const [reader, other] = [await another(ours, "read"), await another(ours, "read")];
  await inOneMinute(20);
  expectLimited(await manyTimes(303, () => reader.get("/me")), 300);
  expectSuccess(await other.get("/me"));
});

specifies("8-requests-of-an-organisation", async () => {
  const ours = await anOrganisation();
  const keys = [
    await another(ours, "read"),
    await another(ours, "read"),
    await another(ours, "read"),
    await another(ours, "read"),
  ];
  const theirs = await anOrganisation();
  await inOneMinute(30);
  const answers = (await Promise.all(keys.map(({ get }) => manyTimes(255, () => get("/me"))))).flat();
  const limited = answers.filter(({ status }) => status === 429);
  expect(answers.length - limited.length).toBeLessThanOrEqual(1000);
  expect(answers.length - limited.length).toBeGreaterThanOrEqual(990); // set-up in the same minute counts too
  for (const answer of limited) expectRefused(answer, 429, "rate_limited");
  expectSuccess(await theirs.get("/me"));
});

specifies("8-requests-of-a-platform-key", async () => {
  const key = (await botstead("platform-key", "mint", "--name", "busy")).stdout.trim();
  await inOneMinute(15);
  expectLimited(await manyTimes(63, () => call("GET", "/platform/organisations", { key })), 60);
});

specifies("8-refusals-of-an-address", async () => {
  const ours = await anOrganisation();
  const reader = await another(ours, "read");
  const [from, elsewhere] = [anAddress(), anAddress()];
  const kinds = [{}, { key: "bsk_malformed" }, { key: reader.key }];
  await inOneMinute(15);
  for (const answer of await manyTimes(70, () => call("GET", "/me", { key: ours.key, from }))) expectSuccess(answer);
  expectLimited(await manyTimes(63, (number) => call("GET", "/keys", { ...kinds[number % 3], from })), 60);
  expect((await call("GET", "/me", { from: elsewhere })).status).toBe(401);
  expectSuccess(await call("GET", "/me", { key: ours.key, from }));
});

specifies("8-refusals-cost-no-key", async () => {
  const ours = await anOrganisation();
  const reader = await another(ours, "read");
  await inOneMinute(10);
  const before = await leftOf(reader);
  const refused = await manyTimes(5, () => clientOf(reader.key).get("/keys", { from: anAddress() }));
  expect(countsOf(refused)).toEqual({ 401: 5 });
  expect(await leftOf(reader)).toBe(before - 1);
});

specifies("8-run-starts", async () => {
  const ours = await anOrganisation();
  const botId = await aBot(ours);
  const start = () => ours.post("/runs", { botId, message: "Hello" });
  const answers = await manyTimes(123, start);
  expect(countsOf(answers)).toEqual({ 202: 120, 429: 3 });
  for (const answer of answers.filter(({ status }) => status === 429)) expectRefused(answer, 429, "quota_exceeded");
  await setLimit(ours, "runStartsPerHour", 121);
  expectSuccess(await start(), 202);
  expectRefused(await start(), 429, "quota_exceeded");
});

specifies("8-routine-starts", async () => {
  const ours = await anOrganisation();
  const botId = await aBot(ours);
  const start = () => ours.post("/runs", { botId, message: "Hello" });
  const fired = async () => expectSuccess(await ours.get("/runs?trigger=routine")).data.length;
  await setLimit(ours, "runStartsPerHour", 1);
  await setLimit(ours, "routineStartsPerHour", 1);
  expectSuccess(await start(), 202);
  expectRefused(await start(), 429, "quota_exceeded");
  const routine = { botId, name: "Yearly", schedule: "0 0 1 1 *", message: "Hello" };
  const { id } = expectSuccess(await ours.post("/routines", routine), 201);
  await asAdministrator(`update app.routines set next_firing_at = now() where id = '${id}'`);
  await eventually(async () => (await fired()) === 1);
  await setLimit(ours, "runStartsPerHour", 2);
  expectSuccess(await start(), 202);
  expectRefused(await start(), 429, "quota_exceeded");
});

specifies("8-deliveries-cost-nothing", async () => {
  const ours = await anOrganisation();
  const { row, waitFor } = await anEndpoint(ours, ["run.finished"]);
  await inOneMinute(15);
  const before = await leftOf(ours);
  for (const _ of [1, 2]) expectSuccess(await ours.post(`/webhooks/${row.id}/test`), 202);
  await waitFor(2);
  expect(await leftOf(ours)).toBe(before - 3);
});

specifies("8-rate-limit-headers", async () => {
  const ours = await anOrganisation();
  for (const answer of [await ours.get("/me"), await ours.get("/bots/nonsense"), await ours.post("/bots", {})]) {
    expect(answer.headers.get("ratelimit-policy")).toBe('"key";q=300;w=60, "organisation";q=1000;w=60');
    expect(answer.headers.get("ratelimit")).toMatch(/^"key";r=\d+;t=\d+, "organisation";r=\d+;t=\d+$/);
  }
});
