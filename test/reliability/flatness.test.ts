/**
 * Rules of a soak for growth: noise counts as flat, and missing samples are reported. A leak of 1 MB a minute is found
 * after garbage collection; the noisy series of memory use do not show it.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judgeFlatness } from "../hostile/soak/flatness.ts";
import { weigh, weighable } from "../hostile/soak/memory-use.ts";
import { judgeAll, judgeMemoryUse, rooms, type Sample } from "../hostile/soak/samples.ts";

const memory = rooms(true).find(([prefix]) => prefix === "memory")?.[1] ?? { share: 0, more: 0 };
/** Half an hour with one sample every 10 s. */
const times = Array.from({ length: 180 }, (_, at) => at);
/** Pseudo-random and reproducible. */
const noise = (at: number) => ((at * 7919) % 101) / 101;
const judge = (series: (at: number) => number) => judgeFlatness("memory", times.map(series), memory).isFlat;

test.each<[what: string, series: (at: number) => number]>([
  ["what stays", () => 120],
  ["what moves about", (at) => 120 + noise(at) * 60],
  ["what is collected now and then", (at) => 120 + (at % 20) * 4],
  ["what is more for a moment, even at the end", (at) => (at % 60 > 50 ? 400 : 120)],
  ["what comes to rest after a minute", (at) => 150 - 40 / (1 + at)],
  ["what shrinks", (at) => 200 - at / 2],
])("%s is flat", (_what, series) => {
  expect(judge(series)).toBe(true);
});

test.each<[what: string, series: (at: number) => number]>([
  ["a leak of three megabytes a minute", (at) => 120 + at / 2],
  ["the same beneath noise", (at) => 120 + at / 2 + noise(at) * 60],
  ["the same between collections", (at) => 120 + at / 2 + (at % 20) * 4],
  ["what is twice as much from the middle on", (at) => (at < 90 ? 120 : 240)],
])("%s is found in the noise", (_what, series) => {
  expect(judge(series)).toBe(false);
});

test("judgeFlatness throws when there are too few samples", () => {
  expect(() => judgeFlatness("memory", [1, 2, 3, 4, 5, 6, 7, 8], memory)).toThrow(/too few/);
});

test("every kind has a tolerance, which is not larger in the long form than in the short form", () => {
  for (const [prefix, room] of rooms(true)) {
    const short = rooms(false).find(([other]) => other === prefix)?.[1];
    expect(short?.share).toBeGreaterThanOrEqual(room.share);
    expect(short?.more).toBeGreaterThanOrEqual(room.more);
  }
});

describe("judgeAll", () => {
  const well: Sample = {
    ...{ "memory of api, MB": 250, "memory of worker, MB": 200, "memory of console, MB": 160 },
    ...{ "descriptors of api": 103, "descriptors of worker": 38, "descriptors of console": 25 },
    ...{ connections: 27, jobs: 1, partitions: 171, "write-ahead log, MB": 900, "dead rows of app.memories": 4000 },
  };
  const without = (sample: Sample, start: string): Sample =>
    Object.fromEntries(Object.entries(sample).filter(([name]) => !name.includes(start)));
  const seen = (sampleAt: (at: number) => Sample) => judgeAll(times.map(sampleAt), true);
  const growing = (sampleAt: (at: number) => Sample) =>
    seen(sampleAt)
      .verdicts.filter(({ isFlat }) => !isFlat)
      .map(({ name }) => name);

  test("judges each series by the tolerance of its kind", () => {
    expect(seen(() => well)).toMatchObject({ unseen: [], verdicts: { length: Object.keys(well).length } });
    expect(growing(() => well)).toEqual([]);
  });

  test("judges a series with a few missing samples, and a series that begins later, by the samples that exist", () => {
    const late = (at: number) => (at % 20 === 7 ? without(well, "worker") : well);
    expect(seen(late)).toMatchObject({ unseen: [], verdicts: { length: Object.keys(well).length } });
    expect(growing((at) => ({ ...late(at), "descriptors of worker": 38 + at / 6 }))).toEqual(["descriptors of worker"]);
    const ofTomorrow = (at: number): Sample =>
      at < 90 ? {} : { "dead rows of partitions.tomorrow": (at - 90) * 1_000 };
    expect(growing((at) => ({ ...well, ...ofTomorrow(at) }))).toEqual(["dead rows of partitions.tomorrow"]);
  });

  test.each([
    ["worker", ["memory of worker, MB", "descriptors of worker"]],
    ["memory", ["memory of api, MB", "memory of worker, MB", "memory of console, MB"]],
    ["connections", ["connections"]],
    ["jobs", ["jobs"]],
    ["dead rows", ["dead rows of app.memories"]],
  ])("reports a series that lacks many samples: %s", (what, missing) => {
    const unseen = missing.map((name) => expect.stringContaining(name));
    expect(seen((at) => (at < 30 ? without(well, what) : well)).unseen).toEqual(unseen);
    expect(seen(() => without(well, what)).unseen).toEqual(unseen);
  });

  test("judgeMemoryUse reports a process that did not respond", () => {
    const usage = { api: 130, worker: 110, console: 100 };
    expect(judgeMemoryUse(usage, { ...usage, console: 105 }, true)).toMatchObject({
      unseen: [],
      verdicts: { length: 3 },
    });
    expect(judgeMemoryUse(usage, { api: 130, console: 100 }, true).unseen).toEqual([
      expect.stringMatching(/^held by worker/),
    ]);
    expect(judgeMemoryUse({}, usage, true).unseen).toHaveLength(3);
  });
});

/** On each message: makes about 60 MB of garbage, and keeps 1 MB if the message says where. */
const program = `
  const kept = [];
  process.on("message", (keeps) => {
    for (let each = 0; each < 200_000; each += 1) ({ each, more: [each, each] }).more.at(-1);
    for (let each = 0; each < 40; each += 1) Buffer.alloc(1e6, each);
    if (keeps === "in the heap") for (let each = 0; each < 1_000; each += 1) kept.push([...Array(120)].map(Math.random));
    if (keeps === "beside the heap") kept.push(Buffer.alloc(1e6, kept.length));
    process.send("done");
  });`;

/** Memory of a process before and after 19 simulated minutes, the time between the two measurements of a soak. */
async function weighed(keeps: string): Promise<[early: number, late: number]> {
  const folder = mkdtempSync(join(tmpdir(), "botstead-leak-"));
  const child = spawn(process.execPath, [...weighable.NODE_OPTIONS.split(" "), "-e", program], {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  try {
    const pass = async (minutes: number, kept: string) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        const done = once(child, "message");
        child.send(kept);
        await done;
      }
      return (await weigh(folder, { api: { pid: child.pid ?? 0 } })).api ?? 0;
    };
    return [await pass(10, ""), await pass(19, keeps)];
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

test.each([
  ["nothing", true],
  ["in the heap", false],
  ["beside the heap", false],
])(
  "judgeMemoryUse for a process that keeps 1 MB a minute %s and makes 60 MB of garbage: flat is %s",
  async (keeps, isFlat) => {
    const [early, late] = await weighed(keeps);
    expect(early).toBeGreaterThan(20);
    const others = { worker: 1, console: 1 };
    const { verdicts } = judgeMemoryUse({ api: early, ...others }, { api: late, ...others }, true);
    expect(verdicts[0]).toMatchObject({ name: "held by api, MB", isFlat });
  },
);
