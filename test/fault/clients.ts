/** Clients of an API, wherever it runs, with organisations of their own; and what they were told, held against what is there. */
import { callerOf } from "../support/api.ts";
import { makeKey, makeOrganisation } from "../support/database.ts";
import { tell } from "../support/reliability.ts";
import type { Made } from "./calls.ts";
import type { Sql } from "./evidence.ts";
import { countFaults, gatherFound, type Journal, judge, replayAll } from "./journal.ts";
import { type Client, type MixedLoad, startMixedLoad } from "./mixed-load.ts";

export type Clients = {
  /** Organisations of their own, each with so many clients, which have room for any load but for the buckets'. */
  clients(organisations: number, each?: number): Promise<Client[]>;
  /** A load that goes on beside what a test is about, for minutes if need be. */
  beside(): Promise<Beside>;
  /**
   * The end of each fault: asks every POST once more, holds all against all, and tells the counts.
   *
   * @param replays those that were made before, by a test whose POSTs are more than can be asked within a minute
   */
  expectNothingLost(fault: string, made: Made[], replays?: Journal["replays"]): Promise<Journal>;
};

export type Beside = Omit<MixedLoad, "stop"> & {
  /** Stops it and judges: somebody was there all the time, so that every try was answered. */
  expectNothingLost(fault: string): Promise<void>;
};

/** With 300 requests a minute to a key, what is asked again while there is no service included. */
const pauseMs = 100;

/** @param url without /api/v1 */
export function clientsOf({ sql, url }: { sql: Sql; url: string }): Clients {
  const self: Clients = {
    async clients(organisations, each = 1) {
      const made: Client[] = [];
      for (let organisation = 0; organisation < organisations; organisation += 1) {
        const { id, ownerId } = await makeOrganisation({ sql });
        await sql(
          "update app.organisations set hourly_run_ceiling = 1000000, live_key_ceiling = 1000000 where id = $1",
          [id],
        );
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
      tell(fault, countFaults(journal, findings));
      expect(journal.found.size).toBeGreaterThan(0);
      expect(findings).toEqual([]);
      return journal;
    },
  };
  return self;
}
