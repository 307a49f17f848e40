/** A process returns unused heap to the operating system. */
import { spawnSync } from "node:child_process";
import { collections } from "../../src/processes/garbage-collection.ts";

const memory = new URL("../../src/processes/garbage-collection.ts", import.meta.url);

/** Allocates about 300 MB, releases them, continues with little, and prints its resident size in MB. */
const program = `
  import { collectGarbage } from ${JSON.stringify(memory.href)};
  collectGarbage();
  const weight = () => process.memoryUsage().rss / 1024 / 1024;
  const objects = [];
  for (let each = 0; each < 1_700_000; each += 1) objects.push({ each, more: [each, each], text: "x" + each });
  const full = weight();
  objects.length = 0;
  for (let until = Date.now() + 25_000; Date.now() < until && weight() > 150; ) {
    for (let each = 0; each < 100_000; each += 1) objects[each] = { each };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  console.log(JSON.stringify([full, weight()]));
  process.exit();
`;

test("collectGarbage returns unused heap to the system within seconds", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
  });
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^\[/), expect.any(String)]);
  const [full = 0, after = 0] = JSON.parse(stdout) as number[];
  expect(full).toBeGreaterThan(250);
  expect(after).toBeLessThan(150);
}, 60_000);

describe("a collection is due", () => {
  const [minute, megabyte] = [60_000, 1024 * 1024];
  /** Sizes in MB at minutes; returns when a collection is due, each of which leaves `leaves` MB. */
  const looks = (weighs: [atMinute: number, megabytes: number, utilization?: number][], leaves: number) => {
    const { isDue, record } = collections();
    return weighs.filter(([at, megabytes, utilization = 0.5]) => {
      const due = isDue(at * minute, megabytes * megabyte, utilization);
      if (due) record(at * minute, megabytes * megabyte, leaves * megabyte);
      return due;
    });
  };

  test("above 250 MB, and not while the process is busy", () => {
    expect(looks([[0, 249]], 100)).toEqual([]);
    expect(looks([[0, 251]], 100)).toEqual([[0, 251]]);
    expect(looks([[0, 900, 0.61]], 100)).toEqual([]);
  });

  test("once a minute while it frees more than 50 MB", () => {
    const weighs: [number, number][] = [0, 0.5, 0.9, 1, 1.5, 2].map((at) => [at, 320]);
    expect(looks(weighs, 200).map(([at]) => at)).toEqual([0, 1, 2]);
  });

  test("less often while it frees little, and at once after growth", () => {
    const weighs: [number, number][] = Array.from({ length: 200 }, (_, at) => [at, 300]);
    expect(looks(weighs, 300).map(([at]) => at)).toEqual([0, 2, 6, 14, 30, 62, 122, 182]);
    expect(looks([...weighs.slice(0, 70), [71, 340], [72, 351]], 300).map(([at]) => at)).toEqual([
      0, 2, 6, 14, 30, 62, 72,
    ]);
  });
});
