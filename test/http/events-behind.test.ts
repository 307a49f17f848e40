/** A stream that resumes far behind delays neither its own organisation nor another. (docs/decisions/0017-events-and-streams.md) */
import type { EventKind } from "../../src/contract/event-kinds.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeEvents, makeManyEvents } from "../support/events.ts";
import { type Live, openFeed } from "../support/live-feed.ts";
import { withWatchingApi } from "../support/watched.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
const unhurried = { heartbeatMs: 600_000, maxDurationMs: 3_600_000 };

const write = async (who: Member, kind: EventKind = "run.finished"): Promise<string> =>
  (await makeEvents(here.db, { organisationId: who.organisation.id }, { kind }))[0] ?? "";

/** Returns the position before the events. */
async function writeMany(who: Member, count: number): Promise<string> {
  await write(who);
  const before: string = (await who.get("/events")).body.position;
  await makeManyEvents(here.db, { organisationId: who.organisation.id }, count);
  return before;
}

const has = ({ entries }: Live, id: string) => entries.some(({ data }) => data.id === id);

test("a stream that resumes 100,000 events behind gets each once, in order, and delays no other stream", async () => {
  const count = 100_000;
  await withWatchingApi(here, { pace: unhurried }, async (api) => {
    const [ada, eve] = [await here.owner(), await here.owner()];
    const start = await writeMany(ada, count);
    const [live, foreign] = [await openFeed(api, ada), await openFeed(api, eve)];
    const behind = await openFeed(api, ada, `?after=${start}`);
    await eventually(async () => behind.entries.length > 0);
    const last: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const [own, others] = [await write(ada), await write(eve)];
      last.push(own);
      await eventually(async () => has(live, own) && has(foreign, others));
      expect(behind.entries.length).toBeLessThan(count); // both came before the past had been sent
    }
    await eventually(async () => behind.entries.length === count + last.length, 300_000);
    const cursors = behind.entries.map(({ cursor }) => cursor ?? "");
    expect(new Set(cursors).size).toBe(cursors.length);
    expect(cursors).toEqual(cursors.toSorted());
    expect(behind.entries.slice(-3).map(({ data }) => data.id)).toEqual(last);
    for (const stream of [live, foreign, behind]) stream.leave();
  });
});
