/**
 * A process that posts to hostile receivers: each attempt ends in time with the right failure code, and leaves no
 * resources. A separate process makes the memory measurable.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type HostileReceivers, startHostileReceivers } from "../support/hostile-receivers.ts";
import type { PosterSetup, Round } from "../support/poster-child.ts";

const program = fileURLToPath(new URL("../support/poster-child.ts", import.meta.url));
let hostile: HostileReceivers;
let child: ChildProcess | undefined;

beforeAll(async () => {
  hostile = await startHostileReceivers();
});
afterAll(() => hostile.close());
afterEach(async () => {
  const exit = child && once(child, "exit");
  child?.disconnect();
  await exit;
});

function startPoster(timeouts: { timeoutMs: number; dnsDeadlineMs: number }): (urls: string[]) => Promise<Round> {
  const setup: PosterSetup = { ca: hostile.ca, servers: hostile.servers, ...timeouts };
  const started = fork(program, [JSON.stringify(setup)], { execArgv: ["--expose-gc"] });
  child = started;
  return async (urls) => {
    started.send(urls);
    const [round] = await once(started, "message");
    return round as Round;
  };
}

test("every attempt ends by its deadline of 10 s, with its status code and failure", async () => {
  const post = startPoster({ timeoutMs: 10_000, dnsDeadlineMs: 5_000 });
  const { outcomes } = await post(hostile.all.map(({ url }) => url));
  expect(outcomes.map(({ statusCode, failure }, index) => [hostile.all[index]?.how, statusCode, failure])).toEqual(
    hostile.all.map(({ how, statusCode, failure }) => [how, statusCode, failure]),
  );
  for (const { tookMs } of outcomes) expect(tookMs).toBeLessThan(20_000);
});

test("500 attempts leave no socket, timer or memory behind", async () => {
  const post = startPoster({ timeoutMs: 400, dnsDeadlineMs: 200 });
  const urls = hostile.all.flatMap(({ url }) => Array<string>(4).fill(url));
  await post(urls); // loading, compiling and caching do not count
  const before = await post(urls);
  let after = before;
  let attempts = 0;
  while (attempts < 500) {
    after = await post(urls); // responds once everything is closed
    attempts += urls.length;
  }
  const perAttempt = (after.heldBytes - before.heldBytes) / attempts;
  // A leaked connection takes tens of kilobytes, a leaked body up to 64.
  expect(perAttempt).toBeLessThan(4_096);
});
