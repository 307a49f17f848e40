/** What a process needed for a moment is given back to the system while it goes on. */
import { spawnSync } from "node:child_process";

const memory = new URL("../../src/memory.ts", import.meta.url);

/** Holds some 300 MB, lets go of them, goes on with little, and says what it has weighed, in MB. */
const program = `
  import { giveBackMemory } from ${JSON.stringify(memory.href)};
  giveBackMemory();
  const weight = () => process.memoryUsage().rss / 1024 / 1024;
  const held = [];
  for (let each = 0; each < 1_700_000; each += 1) held.push({ each, more: [each, each], text: "x" + each });
  const full = weight();
  held.length = 0;
  for (let until = Date.now() + 25_000; Date.now() < until && weight() > 150; ) {
    for (let each = 0; each < 100_000; each += 1) held[each] = { each };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  console.log(JSON.stringify([full, weight()]));
  process.exit();
`;

test("memory of the heap that is not needed any more is the system's again within seconds", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
  });
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^\[/), expect.any(String)]);
  const [full = 0, after = 0] = JSON.parse(stdout) as number[];
  expect(full).toBeGreaterThan(250);
  expect(after).toBeLessThan(150);
}, 60_000);
