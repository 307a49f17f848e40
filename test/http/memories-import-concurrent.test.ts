/** Imports of one external id at once. (docs/specification/memories.md#import) */
import { expectAnswer } from "../support/answers.ts";
import type { Json, Reply } from "../support/api.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { twoProcesses } from "../support/two-processes.ts";

const here = ownApiOfFile();
const both = twoProcesses(here);

test("imports of the same external ids at the same moment store each memory once, in any order, and none waits for another twice", async () => {
  const ada = await here.owner();
  for (let round = 0; round < 2; round += 1) {
    const memories = Array.from({ length: 200 }, (_each, index) => ({
      ...{ externalId: `crm-${round}-${index}`, scope: "organisation", kind: "policy" },
      ...{ subject: "Hours", value: `${index}` },
    }));
    const parts = [memories, memories.toReversed(), memories, memories.toReversed()];
    const answers = await both.atOnce(parts.length, (api, each) =>
      api.call("POST", "/memories/import", { key: ada.key.text, body: { memories: parts[each] } }),
    );
    const bodies = answers.map((answer) => expectAnswer("import_memories", answer as Reply<Json>));
    expect(bodies.reduce((sum, { created }) => sum + created, 0)).toBe(200);
    expect(bodies.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(600);
    const stored = await here.db.sql("select from app.memories where organisation_id = $1", [ada.organisation.id]);
    expect(stored).toHaveLength(200 * (round + 1));
  }
  const [{ deadlocks } = { deadlocks: "" }] = await here.db.sql<{ deadlocks: string }>(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  expect(deadlocks).toBe("0");
});
