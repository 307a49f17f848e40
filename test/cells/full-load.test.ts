/** A move under everything that an organisation does at once, by the client. `npm run bench -- moves` has the full rate. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeOrganisations } from "../../src/cells/directory/administration.ts";
import { startMove } from "../../src/cells/moves/move.ts";
import type { RunningWorker } from "../../src/worker/worker.ts";
import { between } from "../moves/cells-of-file.ts";
import { type FullLoad, percentile, startFullLoad } from "../moves/full-load.ts";
import { pauseMs } from "../moves/load.ts";
import { type Json, type TestApi, unlimitedBuckets } from "../support/api.ts";
import { makeKey, makeOrganisation, setLimits } from "../support/database.ts";
import { type DirectedCells, directedCells } from "../support/directory.ts";
import { handExecutor, leased } from "../support/hand-executor.ts";
import { type Receiver, type Respond, startReceiver } from "../support/receiver.ts";
import { eventually, moveClock, testWorker } from "../support/worker.ts";

let cells: DirectedCells;
let receiver: Receiver;
let folder: string;
let apis: TestApi[];
let workers: RunningWorker[];
let ended: FullLoad | undefined;

beforeAll(async () => {
  cells = await directedCells();
  receiver = await startReceiver({ respond });
  folder = mkdtempSync(join(tmpdir(), "botstead-move-"));
  writeFileSync(join(folder, "ca.pem"), receiver.ca);
  const allowed = { WEBHOOK_ALLOW_RANGES: "127.0.0.0/8,::1/128", WEBHOOK_CA_FILE: join(folder, "ca.pem") };
  apis = [await cells.api("one", allowed, unlimitedBuckets()), await cells.api("two", allowed, unlimitedBuckets())];
  workers = await Promise.all(
    [cells.source, cells.target].map((cell, place) =>
      testWorker(cell, { ...allowed, DATA_DIR: folder, AUDIT_ORIGIN: `cell${place}.example/audit` }),
    ),
  );
});
afterAll(async () => {
  await ended?.leave();
  await Promise.all([...(workers ?? []), ...(apis ?? [])].map((each) => each.stop()));
  await receiver?.close();
  rmSync(folder, { recursive: true, force: true });
  await cells?.end();
});

/** Deliveries whose first attempt failed: they are pending during the move. */
const refused = new Set<unknown>();

const respond: Respond = ({ headers }, response) => {
  const delivery = headers["x-botstead-delivery"];
  const fails = refused.size < 3 && !refused.has(delivery);
  if (fails) refused.add(delivery);
  response.writeHead(fails ? 500 : 200).end();
};

/** Runs that the endpoint has accepted. */
const heard = () =>
  new Set(
    receiver.received
      .filter(({ headers: { "x-botstead-delivery": id } }, place, all) => {
        return !refused.has(id) || all.findIndex(({ headers }) => headers["x-botstead-delivery"] === id) < place;
      })
      .map(({ body }) => JSON.parse(body).data.runId),
  );

test("streams, waiting reads, batches, leases, deliveries and replays continue in the other cell; nothing is lost or doubled", async () => {
  const { id, ownerId } = await makeOrganisation(cells.source);
  await setLimits(cells.source, id, { runStartsPerHour: 100_000 });
  const { text: key } = await makeKey(cells.source, id, ownerId);
  const [api] = apis as [TestApi];
  const ask = (method: string, path: string, body?: unknown, idempotencyKey?: string) =>
    api.call<Json>(method, path, { key, body, ...(idempotencyKey ? { idempotencyKey } : {}) });
  const minting = ["POST", "/keys", { name: "once", scope: "read", expiresInDays: 5 }, "a-secret-shown-once"] as const;
  const minted = await ask(...minting);
  const bot = (await ask("POST", "/bots", { name: "Ada" })).body.id;
  await ask("POST", "/webhooks", { url: `${receiver.url}/hook`, events: ["run.finished"] });
  // A run that an executor of the source has leased at the switch. A read that waits for it ends at the target.
  const executors = await Promise.all(
    [cells.source, cells.target].map((cell) => handExecutor(cell, cell.poolAs("runner"), ["hand"])),
  );
  const handBot = (await ask("POST", "/bots", { name: "Hand", model: "hand" })).body.id;
  const leasedRun = (await ask("POST", "/runs", { botId: handBot, message: "Deep?" })).body.id;
  const [atSource, atTarget] = executors as [(typeof executors)[0], (typeof executors)[0]];
  const lease = await leased(atSource);
  await atSource.step(lease);

  const load = startFullLoad({ urls: apis.map(({ url }) => url), key, bot, writesPerSecond: 40, pauseMs });
  ended = load; // also if the test fails
  /** Waits again while the run continues, as a client does. */
  const untilEnded = async (): Promise<Json> => {
    const { status, body } = await ask("GET", `/runs/${leasedRun}?wait=25`);
    return status === 200 && ["queued", "running"].includes(body.state) ? untilEnded() : { status, ...body };
  };
  let waiting: Promise<Json> = Promise.resolve();
  await eventually(
    async () => load.watched.length > 3 && load.followed.length > 3 && heard().size > 3 && refused.size === 3,
  );
  const { pauseMs: waitedMs = 0 } = await startMove({
    ...between(cells.source, cells.target, id),
    route: () => placeOrganisations(cells.directory, [id], "two"),
    onStep(step) {
      if (step === "switch") waiting = untilEnded();
    },
  });
  const before = [load.acknowledged.length, load.watched.length, load.followed.length];

  // The former executor is refused, and another executor continues at the target.
  await expect(atSource.finish(lease)).rejects.toThrow();
  await cells.target.sql("update app.runs set lease_until = now() where id = $1", [leasedRun]);
  let continued: Json = null;
  await eventually(async () => {
    continued ??= await atTarget.lease();
    return continued !== null;
  });
  await atTarget.finish(continued, "Deep.");
  expect(await waiting).toMatchObject({ status: 200, id: leasedRun, state: "completed" });
  await eventually(async () =>
    [load.acknowledged.length, load.watched.length, load.followed.length].every(
      (now, place) => now > (before[place] ?? 0) + 3,
    ),
  );
  await load.end();
  expect(load.failed).toEqual([]);
  process.stdout.write(
    `writes waited ${waitedMs.toFixed(0)} ms, p99 of writes ${percentile(load.writeMs, 0.99).toFixed(0)} ms; retried by the client: ${JSON.stringify([...load.retried])}\n`,
  );

  const stored = await cells.target.sql<{ value: string }>(
    "select value from app.memories where organisation_id = $1 and provenance = 'member'",
    [id],
  );
  expect(stored.map(({ value }) => value).toSorted()).toEqual(load.acknowledged.toSorted());
  const all = [...load.runs, leasedRun].toSorted();
  await eventually(async () => load.followed.length >= all.length);
  await load.leave();
  expect(load.followed.toSorted()).toEqual(all); // each once
  expect(refused.size).toBe(3);
  await moveClock(cells.target, "70 seconds"); // to their retries
  await eventually(async () => all.every((run) => heard().has(run)));
  expect([(await ask(...minting)).text, minted.status]).toEqual([minted.text, 201]);
  expect(await cells.target.sql("select * from audit.verify_chain($1)", [id])).toEqual([]);
});
