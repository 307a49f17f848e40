/**
 * The worker killed at any point, the whole process group killed, the worker made to stand still and asked to stop amid
 * its work.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { status } from "../support/hooks.ts";
import { type Line, lineTo } from "../support/line.ts";
import { isAlive, processTree, signalAll } from "../support/process-tree.ts";
import { runProgram } from "../support/program.ts";
import { howMany, long } from "../support/reliability.ts";
import { eventually, watchForWorker } from "../support/worker.ts";
import { holdRows } from "./hold.ts";
import { openScene, type Scene, seconds, untilWorkIsDone } from "./scene.ts";

let scene: Scene;
let line: Line;

beforeAll(async () => {
  scene = await openScene();
  line = await lineTo(scene.hooks.receiver.port);
  await scene.start({ detached: true });
}, 90_000);
afterAll(async () => {
  await line.close();
  await scene.close();
});

test("killed before the post, during it, and between the receiver's 200 and the commit", async () => {
  const tenant = await scene.tenant();
  // One that is connected and not heard, one that was heard and does not answer, and one whose answer can't be recorded.
  const before = scene.hooks.hook();
  const unheard = await tenant.subscribe(before, before.url.replace(/:\d+/, `:${line.port}`));
  line.hold(true);
  const during = await tenant.subscribe(scene.hooks.hook(() => {}));
  let answer = () => {};
  const between = await tenant.subscribe(
    scene.hooks.hook((_request, response) => {
      answer = () => response.writeHead(200).end();
    }),
  );
  const worker = await scene.worker();
  await tenant.run();
  await eventually(
    async () => line.held() === 1 && during.hook.posts().length === 1 && between.hook.posts().length === 1,
    20_000,
  );
  const deliveriesOf = "select from app.deliveries where endpoint_id = $1 for update";
  const recording = await holdRows(scene, deliveriesOf, [between.id]);
  answer();
  await recording.untilBlocked();
  const [answered] = between.hook.posts();
  expect(answered && between.hook.answered(answered)).toBe(200);

  process.kill(worker, "SIGKILL");
  const killed = performance.now();
  // Its sessions end with it, as they would with its machine: what waits for the lock is never committed.
  await recording.endBlocked();
  await recording.release();
  line.hold(false);
  during.hook.answer = status(200);
  between.hook.answer = status(200);

  expect(await scene.worker(worker)).not.toBe(worker); // it is supervised
  const { deliveries } = await tenant.expectNothingLost("worker killed at three points of a post", killed);
  const posts = [unheard, during, between].map(({ hook }) => hook.posts().length);
  expect(posts).toEqual([1, 2, 2]); // what was not heard was not sent; the rest came once more, as the oracle saw, the same
  const found = [unheard, during, between].map(({ id }) => deliveries.find(({ endpointId }) => endpointId === id));
  expect(found.map((delivery) => delivery?.log)).toEqual(
    Array.from({ length: 3 }, () => [{ number: 1, statusCode: 200, failure: null }]),
  );
}, 120_000);

test("killed again and again under load, each time at another moment", async () => {
  const tenant = await scene.tenant();
  const load = tenant.load();
  await load.untilMore(5);
  const moments: (() => Promise<void>)[] = [
    tenant.untilTaken, // it has posted and waits, or has just been answered
    () => load.untilMore(1), // a run was started: it is about to take it, or its event
    tenant.untilTaken,
    () => load.untilMore(2),
  ];
  let killed = 0;
  for (const moment of moments) {
    const worker = await scene.worker();
    await moment();
    process.kill(worker, "SIGKILL");
    killed = performance.now();
    await scene.worker(worker);
  }
  await tenant.untilTaken();
  console.info(`deliveries go on ${seconds(performance.now() - killed)} after the kill`);
  await load.untilMore(5);
  await load.stop();
  await tenant.expectNothingLost(`worker killed ${moments.length} times under load`, killed);
}, 180_000);

test("the process group killed under load, and then all of it with its database", async () => {
  const tenant = await scene.tenant();
  const load = tenant.load();
  await load.untilMore(10);
  const group = scene.started().program;
  const tree = processTree(group.child.pid ?? 0);
  process.kill(-(group.child.pid ?? 0), "SIGKILL");
  await group.ending;
  await eventually(async () => tree.filter(({ pid }) => isAlive(pid)).every(({ command }) => /postgres/.test(command)));
  await scene.start({ detached: true });
  await load.untilMore(10);

  const again = scene.started().program;
  const all = processTree(again.child.pid ?? 0);
  signalAll(all, "SIGKILL");
  await again.ending;
  await eventually(async () => !all.some(({ pid }) => isAlive(pid)));
  const dead = performance.now();
  await scene.start({ detached: true });
  await load.untilMore(1);
  console.info(`runs are taken again ${seconds(performance.now() - dead)} after all was killed, the start included`);
  await load.untilMore(10);
  await load.stop();
  await tenant.expectNothingLost("process group killed, then everything", dead);
}, 180_000);

test("one of two workers stands still amid its posts, and goes on when others have taken over", async () => {
  const tenant = await scene.tenant();
  await tenant.subscribe(scene.hooks.hook((_request, response) => void setTimeout(() => response.end(), 300)));
  const held = await tenant.subscribe(scene.hooks.hook(() => {}));
  const load = tenant.load();
  await eventually(async () => held.hook.posts().length > 0, 20_000); // by the one worker that there is
  const inHand = held.hook.posts().length;
  const worksToo = await watchForWorker(scene.sql);
  const other = runProgram(["worker"], { env: scene.home.env });
  await eventually(worksToo, 20_000);
  const worker = await scene.worker();
  process.kill(worker, "SIGSTOP");
  const stood = performance.now();
  const posts = held.hook.posts().slice(0, inHand);
  expect(posts.map((post) => held.hook.answered(post))).toEqual(posts.map(() => undefined));
  try {
    held.hook.answer = status(200);
    await load.untilMore(5);
    await untilWorkIsDone(scene);
    // In the long form for longer than it may keep what it has in hand: that is taken over.
    const deliveryOf = ({ headers }: (typeof posts)[number]) => headers["x-botstead-delivery"];
    const again = () => new Set(held.hook.posts().slice(inHand).map(deliveryOf));
    if (long) await eventually(async () => posts.every((post) => again().has(deliveryOf(post))), 40_000);
    await sleep(howMany(3_000, 20_000) - (performance.now() - stood));
  } finally {
    process.kill(worker, "SIGCONT");
  }
  const over = performance.now();
  await load.untilMore(5);
  await load.stop();
  await tenant.expectNothingLost(`one of two workers stands still for ${howMany(3, 20)} s`, over);
  expect(await scene.worker()).toBe(worker);
  expect((await other.kill("SIGTERM")).code).toBe(0);
}, 180_000);

test("asked to stop amid a slow post, it lets that end, and records it", async () => {
  const tenant = await scene.tenant();
  let answered = 0;
  const slow = await tenant.subscribe(
    scene.hooks.hook((_request, response) => {
      setTimeout(() => {
        answered = performance.now();
        response.writeHead(200).end();
      }, 4_000);
    }),
  );
  const load = tenant.load();
  await eventually(async () => slow.hook.posts().length > 0, 20_000);
  const { program } = scene.started();
  const asked = performance.now();
  const { code } = await program.kill("SIGTERM");
  const stopped = performance.now();
  expect(code).toBe(0);
  expect(answered).toBeGreaterThan(asked); // there was something to wait for
  const posted = slow.hook.posts().length;
  console.info(`stopped ${seconds(stopped - asked)} after it was asked, with ${posted} slow posts under way or done`);

  slow.hook.answer = status(200);
  await scene.start({ detached: true });
  await load.untilMore(5);
  await load.stop();
  const { deliveries, posts } = await tenant.expectNothingLost("asked to stop under load, and started again", stopped);
  // Nothing that was sent before it stopped is sent again: what came more often has as many attempts in its log.
  for (const { id, log } of deliveries) {
    expect(posts.filter(({ deliveryId }) => deliveryId === id)).toHaveLength(log.length);
  }
}, 180_000);
