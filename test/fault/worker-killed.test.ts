/**
 * The worker is killed at any point, alone or with its process group, suspended, or stopped during its work.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { status } from "../support/hooks.ts";
import { isAlive, processTree, signalAll, signalGroup, signalProcess } from "../support/process-tree.ts";
import { runProgram } from "../support/program.ts";
import { howMany, long } from "../support/reliability.ts";
import { type SlowNetwork, slowNetworkTo } from "../support/slow-network.ts";
import { eventually, watchForWorker } from "../support/worker.ts";
import { type Fixture, openFixture, seconds, untilWorkIsDone } from "./fixture.ts";
import { holdRows } from "./hold.ts";

let fixture: Fixture;
let network: SlowNetwork;

beforeAll(async () => {
  fixture = await openFixture();
  network = await slowNetworkTo(fixture.hooks.receiver.port);
  await fixture.start({ detached: true });
});
afterAll(async () => {
  await network.close();
  await fixture.close();
});

test("worker killed before a request, during it, or between the receiver's 200 and the commit: no delivery is lost", async () => {
  const tenant = await fixture.tenant();
  // One endpoint gets no data, one does not answer, and for one the worker cannot record the response.
  const before = fixture.hooks.hook();
  const unheard = await tenant.subscribe(before, before.url.replace(/:\d+/, `:${network.port}`));
  network.stall(true);
  const during = await tenant.subscribe(fixture.hooks.hook(() => {}));
  let answer = () => {};
  const between = await tenant.subscribe(
    fixture.hooks.hook((_request, response) => {
      answer = () => response.writeHead(200).end();
    }),
  );
  const worker = await fixture.worker();
  await tenant.run();
  await eventually(
    async () =>
      network.stalledConnections() === 1 && during.hook.posts().length === 1 && between.hook.posts().length === 1,
  );
  const deliveriesOf = "select from app.deliveries where endpoint_id = $1 for update";
  const recording = await holdRows(fixture, deliveriesOf, [between.id]);
  answer();
  await recording.untilBlocked();
  const [answered] = between.hook.posts();
  expect(answered && between.hook.answered(answered)).toBe(200);

  signalProcess(worker, "SIGKILL");
  const killed = performance.now();
  // Its sessions end too, as with a machine failure: the blocked statement is never committed.
  await recording.endBlocked();
  await recording.release();
  network.stall(false);
  during.hook.answer = status(200);
  between.hook.answer = status(200);

  expect(await fixture.worker(worker)).not.toBe(worker); // `start` restarts the worker
  const { deliveries } = await tenant.expectNothingLost("worker killed at three points of a request", killed);
  const posts = [unheard, during, between].map(({ hook }) => hook.posts().length);
  expect(posts).toEqual([1, 2, 2]); // the first endpoint saw only the retry
  const found = [unheard, during, between].map(({ id }) => deliveries.find(({ endpointId }) => endpointId === id));
  expect(found.map((delivery) => delivery?.log)).toEqual(
    Array.from({ length: 3 }, () => [{ number: 1, statusCode: 200, failure: null }]),
  );
});

test("worker killed repeatedly under load at different moments: no run or delivery is lost", async () => {
  const tenant = await fixture.tenant();
  const load = tenant.load();
  await load.untilMore(5);
  const moments: (() => Promise<void>)[] = [
    tenant.untilTaken, // it waits for a response, or just got one
    () => load.untilMore(1), // a run was started: the worker is about to lease it or its event
    tenant.untilTaken,
    () => load.untilMore(2),
  ];
  let killed = 0;
  for (const moment of moments) {
    const worker = await fixture.worker();
    await moment();
    signalProcess(worker, "SIGKILL");
    killed = performance.now();
    await fixture.worker(worker);
  }
  await tenant.untilTaken();
  console.info(`deliveries continue ${seconds(performance.now() - killed)} after the kill`);
  await load.untilMore(5);
  await load.stop();
  await tenant.expectNothingLost(`worker killed ${moments.length} times under load`, killed);
});

test("process group killed under load, without and with its database: no run or delivery is lost", async () => {
  const tenant = await fixture.tenant();
  const load = tenant.load();
  await load.untilMore(10);
  const group = fixture.started().program;
  const tree = processTree(group.child.pid ?? 0);
  signalGroup(group.child.pid, "SIGKILL");
  await group.ending;
  await eventually(async () => tree.filter(({ pid }) => isAlive(pid)).every(({ command }) => /postgres/.test(command)));
  await fixture.start({ detached: true });
  await load.untilMore(10);

  const again = fixture.started().program;
  const all = processTree(again.child.pid ?? 0);
  signalAll(all, "SIGKILL");
  await again.ending;
  await eventually(async () => !all.some(({ pid }) => isAlive(pid)));
  const dead = performance.now();
  await fixture.start({ detached: true });
  await load.untilMore(1);
  console.info(`runs are taken again ${seconds(performance.now() - dead)} after all was killed, the start included`);
  await load.untilMore(10);
  await load.stop();
  await tenant.expectNothingLost("process group killed, then all processes", dead);
});

test("worker suspended during its requests resumes after another worker took over: no delivery is lost", async () => {
  const tenant = await fixture.tenant();
  // A slow receiver, so that requests are in progress at any moment.
  await tenant.subscribe(fixture.hooks.hook((_request, response) => void setTimeout(() => response.end(), 300)));
  const silent = await tenant.subscribe(fixture.hooks.hook(() => {}));
  const load = tenant.load();
  await eventually(async () => silent.hook.posts().length > 0); // from the only worker
  const inHand = silent.hook.posts().length;
  const worksToo = await watchForWorker(fixture.sql);
  const other = runProgram(["worker"], { env: fixture.home.env });
  await eventually(worksToo);
  const worker = await fixture.worker();
  signalProcess(worker, "SIGSTOP");
  const stood = performance.now();
  const posts = silent.hook.posts().slice(0, inHand);
  expect(posts.map((post) => silent.hook.answered(post))).toEqual(posts.map(() => undefined));
  try {
    silent.hook.answer = status(200);
    await load.untilMore(5);
    await untilWorkIsDone(fixture);
    // In the long form longer than its leases, so that another worker takes them over.
    const deliveryOf = ({ headers }: (typeof posts)[number]) => headers["x-botstead-delivery"];
    const again = () => new Set(silent.hook.posts().slice(inHand).map(deliveryOf));
    if (long) await eventually(async () => posts.every((post) => again().has(deliveryOf(post))));
    // The time for which the worker is suspended.
    await sleep(howMany(3_000, 20_000) - (performance.now() - stood));
  } finally {
    signalProcess(worker, "SIGCONT");
  }
  const over = performance.now();
  await load.untilMore(5);
  await load.stop();
  await tenant.expectNothingLost(`one of two workers suspended for ${howMany(3, 20)} s`, over);
  expect(await fixture.worker()).toBe(worker);
  expect((await other.kill("SIGTERM")).code).toBe(0);
});

test("worker that gets SIGTERM during a slow request waits for the response and records it", async () => {
  const tenant = await fixture.tenant();
  let answered = 0;
  const slow = await tenant.subscribe(
    fixture.hooks.hook((_request, response) => {
      setTimeout(() => {
        answered = performance.now();
        response.writeHead(200).end();
      }, 4_000);
    }),
  );
  const load = tenant.load();
  await eventually(async () => slow.hook.posts().length > 0);
  const { program } = fixture.started();
  const signalledAt = performance.now();
  const { code } = await program.kill("SIGTERM");
  const stopped = performance.now();
  expect(code).toBe(0);
  expect(answered).toBeGreaterThan(signalledAt); // the worker had a response to wait for
  const posted = slow.hook.posts().length;
  console.info(
    `stopped ${seconds(stopped - signalledAt)} after the signal, with ${posted} slow posts under way or done`,
  );

  slow.hook.answer = status(200);
  await fixture.start({ detached: true });
  await load.untilMore(5);
  await load.stop();
  const { deliveries, posts } = await tenant.expectNothingLost(
    "worker stopped by SIGTERM under load, then restarted",
    stopped,
  );
  // No request from before the stop is repeated: each repetition has its own attempt in the log.
  for (const { id, log } of deliveries) {
    expect(posts.filter(({ deliveryId }) => deliveryId === id)).toHaveLength(log.length);
  }
});
