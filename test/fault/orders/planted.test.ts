/** The test of orders finds races that were mended before, each put back into the functions of its database. */
import { reportCounts } from "../../support/reliability.ts";
import type { Side } from "./calls.ts";
import type { Finding } from "./pairs.ts";
import { openPlace, type Place } from "./place.ts";
import { type PlantedRace, plantedRaces } from "./planted-races.ts";
import { define } from "./yield-points.ts";

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.close());

function callOf(side: Side, name: string) {
  const call = place.calls[side].find((each) => each.name === name);
  if (!call) throw new Error(`There is no call ${name}.`);
  return call;
}

function functionOf(name: string) {
  const found = place.functions.get(name);
  if (!found) throw new Error(`There is no function ${name}.`);
  return found;
}

async function plant({ changes }: PlantedRace): Promise<void> {
  for (const name of new Set(changes.map((change) => change.in))) {
    await define(place.db, functionOf(name), (body) =>
      changes
        .filter((change) => change.in === name)
        .reduce((text, { from, to }) => {
          const changed = text.replace(from, to);
          if (changed === text) throw new Error(`${name} lacks the text of the mending.`);
          return changed;
        }, body),
    );
  }
}

async function findings({ stopped, beside, isSameRequest }: PlantedRace) {
  const runner = place.runner();
  await runner.run(callOf("a", stopped), callOf(isSameRequest ? "a" : "b", beside));
  return runner.findings;
}

test.each(plantedRaces)("$title: found, and not found without it", async (race) => {
  const without = await findings(race);
  let planted: Finding[];
  try {
    await plant(race);
    planted = await findings(race);
  } finally {
    for (const change of race.changes) await define(place.db, functionOf(change.in));
  }
  reportCounts("races mended before and planted again", {
    acknowledged: planted.length > 0 ? 1 : 0,
    lost: planted.length > 0 ? 0 : 1,
    doubled: 0,
    unexpected: without.length,
  });
  expect(without).toEqual([]);
  expect(planted).not.toEqual([]);
});
