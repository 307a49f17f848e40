/** A cell that is gone, or hangs, takes nothing from the others. (docs/directory.md) */
import { makeCredential } from "../../src/secrets/credentials.ts";
import { hurried } from "../fault/journal.ts";
import type { TestApi } from "../support/api.ts";
import { recordMaintenance } from "../support/database.ts";
import { type DirectedCells, directedCells, keyIn } from "../support/directory.ts";
import type { SlowNetwork } from "../support/slow-network.ts";

let cells: DirectedCells;
let network: SlowNetwork;
let api: TestApi;

beforeAll(async () => {
  cells = await directedCells();
  await recordMaintenance(cells.source);
  network = await cells.slowTwo();
  api = await cells.api("one", hurried);
});
afterAll(async () => {
  network?.silence(false);
  await api?.stop();
  await network?.close();
  await cells?.end();
});

async function timed(key: string): Promise<{ status: number; ms: number }> {
  const began = performance.now();
  const { status } = await api.call("GET", "/memories", { key });
  return { status, ms: performance.now() - began };
}

const gone = {
  fail() {
    network.refuse(true);
    network.cut();
  },
  mend: () => network.refuse(false),
};
const hanging = {
  fail() {
    network.stall(true);
    network.silence(true);
  },
  mend() {
    network.stall(false);
    network.silence(false);
    network.cut();
  },
};

test.each([
  ["is gone", gone],
  ["hangs", hanging],
])(
  "while one cell %s its organisations get 503 within 5 s, and others are served as before",
  async (_, { fail, mend }) => {
    const [inOne, freshInOne, inTwo, freshInTwo] = [
      await keyIn(cells.source),
      await keyIn(cells.source),
      await keyIn(cells.target),
      await keyIn(cells.target),
    ];
    for (const key of [inOne, inTwo]) expect((await timed(key)).status).toBe(200);
    fail();
    const lost = await Promise.all([
      ...Array.from({ length: 30 }, () => timed(inTwo)),
      timed(freshInTwo),
      timed(makeCredential("bsk").text), // the cell may know it
      (async () => {
        for (let call = 0; call < 50; call += 1) expect((await timed(inOne)).status).toBe(200);
        const fresh = await timed(freshInOne);
        expect(fresh.status).toBe(200);
        expect(fresh.ms).toBeLessThan(9_000); // of a time-out, which it would have to wait for
        return undefined;
      })(),
    ]);
    for (const one of lost) {
      if (!one) continue;
      expect(one.status).toBe(503);
      expect(one.ms).toBeLessThan(20_000); // a busy machine is late
    }
    const ready = await fetch(`${api.url}/readyz`);
    const found = await ready.text();
    expect(JSON.parse(found)).toMatchObject({ database: "ok", cells: { ready: 1, known: 2 } });
    expect(found).not.toMatch(/\b(one|two)\b/);
    mend();
    for (const until = Date.now() + 20_000; Date.now() < until; ) if ((await timed(inTwo)).status === 200) break;
    expect((await timed(freshInTwo)).status).toBe(200);
  },
);
