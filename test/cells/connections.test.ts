/** The connections of an API process to all its cells stay within CELL_CONNECTIONS. (docs/directory.md) */
import { registerCell } from "../../src/cells/directory/administration.ts";
import { type TestApi, unlimitedBuckets } from "../support/api.ts";
import type { TestDatabase } from "../support/database.ts";
import { type DirectedCells, directedCells, keyIn } from "../support/directory.ts";
import type { SlowNetwork } from "../support/slow-network.ts";
import { eventually } from "../support/worker.ts";

const total = 24;
const share = 8;
/** A 503 where the machine is so busy that a call waits for a connection for more than a second. */
const expected = [200, 201, 503];

let cells: DirectedCells;
let three: TestDatabase;
let network: SlowNetwork;
let api: TestApi;
/** A key in each cell. */
let keys: string[];

beforeAll(async () => {
  cells = await directedCells();
  three = await cells.beside();
  network = await cells.slowTwo();
  await registerCell(cells.directory, { name: "three", url: three.adminUrl });
  api = await cells.api("one", { CELL_CONNECTIONS: String(total) }, unlimitedBuckets());
  keys = await Promise.all([cells.source, cells.target, three].map(keyIn));
});
afterAll(async () => {
  network?.silence(false);
  await api?.stop();
  await network?.close();
  await cells?.end();
});

/** Sessions of the API in each cell, as PostgreSQL has them. */
function sessions(): Promise<number[]> {
  return Promise.all(
    [cells.source, cells.target, three].map(async ({ sql }) => {
      const text = "select from pg_stat_activity where usename = 'server' and datname = current_database()";
      return (await sql(text)).length;
    }),
  );
}

type Load = {
  statuses: Set<number>;
  /** Calls that succeeded, by cell. */
  answered: number[];
  /** By cell, and of all. */
  maxSessions: number[];
  end(): Promise<void>;
};

/** Callers of each kind of pool in the cells of these numbers, more than there are connections, until `end`. */
function startLoad(of: number[]): Load {
  let isOver = false;
  const load: Load = { statuses: new Set(), answered: [0, 0, 0], maxSessions: [0, 0, 0, 0], end };
  const memory = { scope: "organisation", kind: "note", subject: "Harbour", value: "Deep." };
  const kinds: ((key: string) => Promise<{ status: number }>)[] = [
    (key) => api.call("GET", "/me", { key }),
    (key) => api.call("GET", "/memories?limit=5", { key }),
    (key) => api.call("POST", "/memories", { key, body: memory }),
    (key) => api.call("POST", "/batch", { key, body: { operations: [{ method: "GET", path: "/memories" }] } }),
  ];
  const callers = of.flatMap((cell) =>
    [...kinds, ...kinds].map(async (call) => {
      while (!isOver) {
        const { status } = await call(keys[cell] ?? "");
        if (status < 300) load.answered[cell] = (load.answered[cell] ?? 0) + 1;
        load.statuses.add(status);
      }
    }),
  );
  const sampling = (async () => {
    while (!isOver) {
      const now = await sessions();
      now.push(now.reduce((sum, count) => sum + count));
      load.maxSessions = now.map((count, place) => Math.max(count, load.maxSessions[place] ?? 0));
    }
  })();
  async function end() {
    isOver = true;
    await Promise.all([...callers, sampling]);
  }
  return load;
}

test("under load in three cells there are never more connections than the total, and no cell is starved", async () => {
  const load = startLoad([0, 1, 2]);
  await eventually(async () => load.answered.every((calls) => calls > 200));
  await load.end();
  process.stdout.write(
    `answers of the cells: ${load.answered.join(", ")}; sessions at most ${load.maxSessions.join(", ")}\n`,
  );
  expect([...load.statuses].filter((status) => !expected.includes(status))).toEqual([]);
  for (const count of load.maxSessions.slice(0, 3)) expect(count).toBeLessThanOrEqual(share);
  expect(load.maxSessions[3]).toBeLessThanOrEqual(total);
});

test("a cell that hangs under load keeps its share, and the others are served as before", async () => {
  keys = await Promise.all([cells.source, cells.target, three].map(keyIn));
  for (const key of keys) expect((await api.call("GET", "/me", { key })).status).toBe(200);
  network.stall(true);
  network.silence(true);
  const hanging = startLoad([1]);
  const load = startLoad([0, 2]);
  await eventually(async () => [0, 2].every((cell) => (load.answered[cell] ?? 0) > 200));
  await Promise.all([load.end(), hanging.end()]);
  network.stall(false);
  network.silence(false);
  network.cut();
  expect([...load.statuses].filter((status) => !expected.includes(status))).toEqual([]);
  expect([...hanging.statuses]).toEqual([503]);
  for (const cell of [0, 2]) expect(load.maxSessions[cell]).toBeLessThanOrEqual(share);
  await eventually(async () => (await api.call("GET", "/me", { key: keys[1] ?? "" })).status === 200);
});

test("connections that are not used are closed, and open again for the next call", async () => {
  const stream = await fetch(`${api.url}/api/v1/events`, {
    headers: { authorization: `Bearer ${keys[2]}`, accept: "text/event-stream" },
  });
  await stream.body?.cancel();
  await eventually(async () => (await sessions()).every((count) => count === 0));
  for (const key of keys) expect((await api.call("GET", "/me", { key })).status).toBe(200);
});
