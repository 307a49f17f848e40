/**
 * A soak: the whole of Botstead as `npm start` runs it, at 70 % of what this machine can, for ten seconds in CI and half an hour
 * in the long form. Everything that was acknowledged is there once and as it was said last, every delivery arrived; the same
 * processes are there from the beginning to the end, and what they and the database hold is what they held at the beginning, by
 * the rules of soak/flatness.ts and soak/held.ts.
 */
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import { gather, isMoving } from "../fault/evidence.ts";
import { countFaults, judge } from "../fault/oracle.ts";
import { openScene, type Scene } from "../fault/scene.ts";
import { howMany, long, tell } from "../support/reliability.ts";
import { eventually } from "../support/worker.ts";
import { makeCallers, type SoakTenant } from "./soak/callers.ts";
import { type Claim, countClaims } from "./soak/claims.ts";
import { hold, measureCapacity } from "./soak/drive.ts";
import type { Verdict } from "./soak/flatness.ts";
import { type Held, weigh, weighable } from "./soak/held.ts";
import { type Book, emptyBook, mixOf } from "./soak/mix.ts";
import { judgeAll, judgeHeld, type Sample, takeSample } from "./soak/samples.ts";

const seconds = howMany(10, 1_800);
/**
 * So many have room in their allowances for what a machine serves that answers 6,000 requests a second: of what it can, a minute
 * holds ten seconds in the short form and fifty in the long one, and one call in twenty counts twice.
 */
const organisations = howMany(64, 320);
let scene: Scene;
let agent: Agent;
beforeAll(async () => {
  scene = await openScene();
  agent = new Agent({ connections: 64 });
  await scene.start({ env: weighable });
}, 90_000);
afterAll(async () => {
  await agent?.close();
  await scene?.close();
});

test(
  "a mixed load at 70 % of capacity, held: all that was acknowledged is there once, and nothing grows",
  async () => {
    const { home, sql } = scene;
    const callers = await makeCallers(scene, organisations);
    const tenants = [...new Set(callers.map(({ tenant }) => tenant))];
    const book = emptyBook();
    const mix = mixOf(home.api.replace("/api/v1", ""), agent, book);
    await measureCapacity(mix, callers, book, howMany(1, 20)); // warms up
    const capacity = await measureCapacity(mix, callers, book, howMany(2, 30));
    await untilAtRest(tenants);
    if (long) await sleep(60_000); // the allowances of a minute are whole again

    const running = pids();
    const before = { answered: book.answered, refused: book.refused.length, took: book.tookMs.length };
    const samples: Sample[] = [];
    const metricsUrl = `http://127.0.0.1:${home.env.CONSOLE_PORT}/metrics`;
    let isOver = false;
    const sampling = (async () => {
      while (!isOver) {
        samples.push(await takeSample(sql, metricsUrl));
        await sleep(howMany(500, 10_000));
      }
    })();
    const [, early, late] = await Promise.all([
      hold(mix, callers, book, Math.max(capacity * 0.7, 1), seconds),
      heldAfter(seconds * 0.33), // caches are filled, and code is compiled
      heldAfter(seconds * 0.95),
    ]);
    isOver = true;
    await sampling;
    await untilAtRest(tenants);

    const [ofSamples, ofHeld] = [judgeAll(samples, long), judgeHeld(early, late, long)];
    const verdicts = [...ofHeld.verdicts, ...ofSamples.verdicts];
    const unseen = [...ofHeld.unseen, ...ofSamples.unseen];
    const replaced = Object.entries(pids()).filter(([part, pid]) => !pid || pid !== running[part]);
    const growing = verdicts
      .filter(({ isFlat }) => !isFlat)
      .map(({ name, first, last }) => `${name}: ${first} → ${last}`);
    const counts = await count(tenants, book);
    const tookMs = book.tookMs.slice(before.took).sort((a, b) => a - b);
    const held = book.answered - before.answered;
    const p99 = tookMs[Math.floor(tookMs.length * 0.99)] ?? 0;
    tell(`a soak of ${seconds} s at 70 % of capacity`, {
      ...counts,
      unexpected: counts.unexpected + book.refused.length + growing.length + unseen.length + replaced.length,
      note: `${held} requests, ${Math.round(held / seconds)} a second of ${Math.round(capacity)}, p99 ${p99.toFixed(0)} ms`,
    });
    console.info(table(verdicts));
    expect(book.refused).toEqual([]);
    expect({ growing, unseen, replaced }).toEqual({ growing: [], unseen: [], replaced: [] });
    expect(counts).toMatchObject({ lost: 0, doubled: 0, unexpected: 0 });
    expect(held).toBeGreaterThan(seconds * 5);
    if (long) expect(p99).toBeLessThan(2_500); // from when a request was due; ten seconds are too few to judge by
  },
  (seconds + 600) * 1_000,
);

async function untilAtRest(tenants: SoakTenant[]): Promise<void> {
  const rests = async () => {
    for (const { organisationId } of tenants) if (await isMoving(scene.sql, organisationId)) return false;
    return true;
  };
  await eventually(rests, howMany(60_000, 300_000)).catch(() => {}); // what did not come to rest, the oracle names
}

/** Claims by the book, runs with their events and deliveries by the oracle of faults. */
async function count(tenants: SoakTenant[], { claims, acknowledged }: Book) {
  const all = { lost: 0, doubled: 0, unexpected: 0 };
  for (const { organisationId, runs, subscriber } of tenants) {
    const found = await gather(scene.sql, organisationId, runs, [subscriber]);
    const { lost, doubled, unexpected } = countFaults(found, judge(found));
    all.lost += lost;
    all.doubled += doubled;
    all.unexpected += unexpected;
  }
  const there = await scene.sql<Claim>("select id, subject, value from app.memories where organisation_id = any ($1)", [
    tenants.map(({ organisationId }) => organisationId),
  ]);
  const { lost, doubled, unexpected } = countClaims(claims, there);
  return {
    acknowledged,
    lost: all.lost + lost,
    doubled: all.doubled + doubled,
    unexpected: all.unexpected + unexpected,
  };
}

/** Of every part that should be there. */
function pids(): Record<string, number | undefined> {
  const parts = scene.started().parts();
  return Object.fromEntries(Object.entries(parts).map(([part, process]) => [part, process?.pid]));
}

async function heldAfter(pause: number): Promise<Held> {
  await sleep(pause * 1_000);
  const { main: api, worker, console } = scene.started().parts();
  return weigh(dirname(scene.home.dataDir), { api, worker, console });
}

/** What has something to tell, early and late. */
function table(verdicts: Verdict[]): string {
  const told = verdicts.filter(({ name, first, last }) => !name.startsWith("dead") || Math.max(first, last) >= 100);
  const lines = told.map(({ name, first, last, isFlat }) =>
    [name.padEnd(48), first.toFixed(0).padStart(10), last.toFixed(0).padStart(10), isFlat ? "" : "  grows"].join(""),
  );
  return [`${"".padEnd(48)}${"early".padStart(10)}${"late".padStart(10)}`, ...lines].join("\n");
}
