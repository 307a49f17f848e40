/** A process returns unused heap to the operating system. */
import { spawnSync } from "node:child_process";

const memorySaver = new URL("../../src/processes/memory-saver.ts", import.meta.url);

/**
 * Allocates about 300 MB and releases them, twice. Waits for at most 25 s after each, working a little or not at all.
 * Prints the resident size in MB before and after each wait.
 */
const program = `
  import { saveMemory } from ${JSON.stringify(memorySaver.href)};
  saveMemory();
  const weight = () => process.memoryUsage().rss / 1024 / 1024;
  const objects = [];
  const sizes = [];
  for (const isBusy of [true, false]) {
    for (let each = 0; each < 1_700_000; each += 1) objects.push({ each, more: [each, each], text: "x" + each });
    const full = weight();
    objects.length = 0;
    for (let until = Date.now() + 25_000; Date.now() < until && weight() > 150; ) {
      if (isBusy) for (let each = 0; each < 100_000; each += 1) objects[each] = { each };
      await new Promise((resolve) => setTimeout(resolve, 200)); // an idle moment, in which V8 may collect
    }
    sizes.push([full, weight()]);
  }
  console.log(JSON.stringify(sizes));
  process.exit();
`;

test("saveMemory returns unused heap to the system within seconds, in a busy and in an idle process", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
  });
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^\[/), expect.any(String)]);
  for (const [full, after] of JSON.parse(stdout) as [number, number][]) {
    expect(full).toBeGreaterThan(250);
    expect(after).toBeLessThan(150);
  }
});
