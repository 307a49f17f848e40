/** Callers of a soak: organisations with several keys, a bot, and an endpoint at a real receiver. */
import type { Subscriber } from "../../fault/evidence.ts";
import type { Fixture } from "../../fault/fixture.ts";
import { callerOf } from "../../support/api.ts";
import { makeKey, setLimits } from "../../support/database.ts";
import { customer } from "../../support/post-office.ts";

export type SoakCaller = {
  key: string;
  tenant: SoakTenant;
  /** Ids of its memories that no request changes now. */
  memories: string[];
};

export type SoakTenant = {
  organisationId: string;
  bot: string;
  subscriber: Subscriber;
  /** Ids of acknowledged runs. */
  runs: string[];
};

/** Four keys share the 1,000 requests a minute of an organisation: 250 each, below the 300 of a key. */
const keysEach = 4;

export async function makeCallers({ home, hooks, sql }: Fixture, organisations: number): Promise<SoakCaller[]> {
  const call = callerOf(home.api.replace("/api/v1", ""));
  const callers: SoakCaller[] = [];
  for (let nth = 0; nth < organisations; nth += 1) {
    const who = await customer({ db: { sql }, api: { call } });
    const { id, ownerId } = who.organisation;
    await setLimits({ sql }, id, { runStartsPerHour: 100000, liveKeys: 100 });
    const hook = hooks.hook();
    const subscriber = { ...(await who.subscribe(hook)), hook };
    const tenant = { organisationId: id, bot: who.bot, subscriber, runs: [] };
    for (let each = 0; each < keysEach; each += 1) {
      callers.push({ key: (await makeKey({ sql }, id, ownerId, "write")).text, tenant, memories: [] });
    }
  }
  return callers;
}
