/** Load clients with organisations of their own. Their recorded responses are compared with the database. */
import { callerOf } from "../support/api.ts";
import { makeKey, makeOrganisation, setLimits } from "../support/database.ts";
import { howMany, reportCounts } from "../support/reliability.ts";
import type { Made } from "./calls.ts";
import type { Sql } from "./evidence.ts";
import { countFaults, gatherFound, type Journal, judge, replayAll } from "./journal.ts";
import { type Client, type MixedLoad, startMixedLoad } from "./mixed-load.ts";

export type Clients = {
  /** Creates organisations with `each` clients. Only the rate limits of their keys restrict the load. */
  clients(organisations: number, each?: number): Promise<Client[]>;
  /** Starts a background load that may run for minutes. */
  beside(): Promise<Beside>;
  /**
   * Ends a fault test: replays every POST, compares the responses with the database, and reports the counts.
   *
   * @param replays earlier replays, from a test with more POSTs than the rate limit admits within a minute
   */
  expectNothingLost(fault: string, made: Made[], replays?: Journal["replays"]): Promise<Journal>;
};

export type Beside = Omit<MixedLoad, "stop"> & {
  /** Stops the load and checks it. The service was always available, so every try must have a response. */
  expectNothingLost(fault: string): Promise<void>;
};

/**
 * Keeps a key below 300 requests a minute, including retries while the service is unavailable. The short form shares its
 * processors with other files.
 */
const pauseMs = howMany(300, 100);

/** @param url without /api/v1 */
export function clientsOf({ sql, url }: { sql: Sql; url: string }): Clients {
  const self: Clients = {
    async clients(organisations, each = 1) {
      const made: Client[] = [];
      for (let organisation = 0; organisation < organisations; organisation += 1) {
        const { id, ownerId } = await makeOrganisation({ sql });
        await setLimits({ sql }, id, { runStartsPerHour: 1000000, liveKeys: 1000000 });
        for (let number = 0; number < each; number += 1) {
          const key = (await makeKey({ sql }, id, ownerId, "admin")).text;
          const bot = (await callerOf(url)("POST", "/bots", { key, body: { name: `Bot ${number}` } })).body.id;
          made.push({ key, bot, organisation: id });
        }
      }
      return made;
    },
    async beside() {
      const load = startMixedLoad(url, await self.clients(3, 3), pauseMs);
      return {
        ...load,
        async expectNothingLost(fault) {
          await load.untilMore(18); // each client has its answer, and one to another call
          await load.stop();
          expect(load.made.flatMap(({ tries }) => tries.filter(({ answer }) => !answer))).toEqual([]);
          await self.expectNothingLost(fault, load.made);
        },
      };
    },
    async expectNothingLost(fault, made, replays) {
      const journal: Journal = {
        made,
        replays: replays ?? (await replayAll(url, made)),
        found: await gatherFound(sql, made),
      };
      const findings = judge(journal);
      reportCounts(fault, countFaults(journal, findings));
      expect(journal.found.size).toBeGreaterThan(0);
      expect(findings).toEqual([]);
      return journal;
    },
  };
  return self;
}
