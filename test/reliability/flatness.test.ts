/** The rule by which a soak tells what grows: a leak is found however small beside the noise, and noise is none. */
import { execFileSync } from "node:child_process";
import { judgeFlatness } from "../hostile/soak/flatness.ts";
import { rooms } from "../hostile/soak/samples.ts";

const memory = rooms(true).find(([prefix]) => prefix === "memory")?.[1] ?? { share: 0, more: 0 };
/** Half an hour, looked at every ten seconds. */
const times = Array.from({ length: 180 }, (_, at) => at);
/** As chance would have it, the same each time. */
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
])("%s is found", (_what, series) => {
  expect(judge(series)).toBe(false);
});

/** In a process of its own: what other tests have left to be collected is no matter here. Keeps four megabytes each time, or nothing. */
function sampled(keeps: boolean): number[] {
  const program = `
    const kept = [];
    const samples = Array.from({ length: 45 }, (_, nth) => {
      const part = Buffer.alloc(4 * 1024 * 1024, nth);
      if (${keeps}) kept.push(part);
      gc();
      return process.memoryUsage().arrayBuffers / 1e6;
    });
    console.log(JSON.stringify(samples));`;
  return JSON.parse(execFileSync(process.execPath, ["--expose-gc", "-e", program], { encoding: "utf8" }));
}

test("a leak that is planted in a process is found by the rule, and the same process without it is flat", () => {
  expect(judgeFlatness("memory", sampled(true), memory).isFlat).toBe(false);
  expect(judgeFlatness("memory", sampled(false), memory).isFlat).toBe(true);
});

test("too few samples tell nothing, and it says so", () => {
  expect(() => judgeFlatness("memory", [1, 2, 3, 4, 5, 6, 7, 8], memory)).toThrow(/too few/);
});

test("every kind that is looked at has a room of its own, and no more in the long form than in the short", () => {
  for (const [prefix, room] of rooms(true)) {
    const short = rooms(false).find(([other]) => other === prefix)?.[1];
    expect(short?.share).toBeGreaterThanOrEqual(room.share);
    expect(short?.more).toBeGreaterThanOrEqual(room.more);
  }
});
