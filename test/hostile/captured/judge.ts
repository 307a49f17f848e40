/** Performs a sequence of commands in a new pair of twins, and judges the result. */
import fc from "fast-check";
import type { Catalogue } from "./calls.ts";
import { type Command, compareNotifications, type Pair, seenOf } from "./commands.ts";
import { changesOf, outsideOf, sinksOf, type Tables, tablesOf } from "./outside.ts";
import type { Twin, Twins } from "./twins.ts";

export type Judge = {
  twins: Twins;
  catalogue: Catalogue;
  calls: Pair["calls"];
  /** @throws Error if the executor saw a secret, changed anything outside its runs, or a tainted run wrote without an approval. */
  judge(commands: Iterable<Command>, plant?: string): Promise<void>;
  close(): Promise<void>;
};

export async function openJudge(twins: Twins): Promise<Judge> {
  const untouched = await twins.untouched();
  const before: Tables = await tablesOf(untouched);
  const calls = { made: 0, answered: 0 };
  return {
    twins,
    catalogue: await catalogueOf(untouched),
    calls,
    async judge(commands, plant) {
      const { a, b } = await twins.open(plant);
      const pair: Pair = { known: twins.known, a: seenOf(a), b: seenOf(b), isQuiet: true, calls };
      try {
        await fc.asyncModelRun(() => ({ model: {}, real: pair }), commands);
        await compareNotifications(pair);
        const leased = pair.a.learned.leases.map(({ runId }) => runId);
        const changes = await changesOf(a, untouched, before);
        if (pair.isQuiet) expect(await outsideOf(a, changes, leased)).toEqual([]);
        expect(await sinksOf(a, changes)).toEqual([]);
      } finally {
        await Promise.all([a.close(), b.close()]);
      }
    },
    async close() {
      await untouched.close();
      await twins.close();
    },
  };
}

/** What there is to name: functions of schema runner that the executor may call, all others, tables and views. */
async function catalogueOf({ sql }: Twin): Promise<Catalogue> {
  const functions = (await sql(
    `select pronamespace::regnamespace || '.' || quote_ident(proname) as name, coalesce(proargnames[1:pronargs], '{}') as names,
       array(select format_type(type, null) from unnest(proargtypes) with ordinality as given (type, place) order by place) as types,
       pronamespace = 'runner'::regnamespace and has_function_privilege('executor', oid, 'execute') as own
     from pg_proc
     where pronamespace::regnamespace::text !~ '^(pg_|information_schema|extensions)'
     order by 1, 2`,
  )) as (Catalogue["functions"][number] & { own: boolean })[];
  const relations = await sql(
    `select oid::regclass::text as name from pg_class
     where relkind in ('r', 'p', 'v', 'm') and relnamespace::regnamespace::text !~ '^(pg_|information_schema|partitions)'
     order by 1`,
  );
  return {
    runner: functions.filter(({ own }) => own),
    functions: functions.filter(({ own }) => !own),
    relations: relations.map(({ name }) => String(name)),
  };
}
