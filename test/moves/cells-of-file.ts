/** Two cells for a test file, each with an API process, and what a move leaves there. */
import type { Options } from "../../src/cells/moves/move.ts";
import { signerFrom } from "../../src/secrets/note-key.ts";
import { type TestApi, testApi, unlimitedBuckets } from "../support/api.ts";
import { logSigner } from "../support/checkpoints.ts";
import { makeExecutor, makeKey, makeOrganisation } from "../support/database.ts";
import { type TwoCells, twoCells } from "../support/two-cells.ts";

/** The cells have one master key, and a name of the log each. */
export const targetSigner = signerFrom("two.example/audit", 1, Buffer.alloc(32, 1));

/** Endpoints may be on loopback. */
export const allowed = { WEBHOOK_ALLOW_RANGES: "127.0.0.0/8,::1/128" };

export type Cell = TwoCells["source"];

/** Started before the first test of the file, and ended after the last one. */
export function cellsOfFile() {
  let cells: TwoCells | undefined;
  let apis: TestApi[] = [];
  const started = () => {
    if (!cells) throw new Error("no cells before the first test");
    return cells;
  };
  const api = (place: number) => apis[place] as TestApi;

  beforeAll(async () => {
    cells = await twoCells();
    const both = [cells.source, cells.target];
    apis = await Promise.all(both.map((cell) => testApi(cell, allowed, unlimitedBuckets())));
    await Promise.all(both.map((each) => makeExecutor(each)));
  });
  afterAll(async () => {
    await Promise.all(apis.map((each) => each.stop()));
    await cells?.end();
  });

  return {
    get source(): Cell {
      return started().source;
    },
    get target(): Cell {
      return started().target;
    },
    get both(): Cell[] {
      return [started().source, started().target];
    },
    signerOf: (cell: Cell) => (cell === started().target ? targetSigner : logSigner),
    get from(): TestApi {
      return api(0);
    },
    get to(): TestApi {
      return api(1);
    },
    /** A further database of the cluster of the source. */
    beside: () => started().beside(),
    /** At the source, with the options of its move to the target. */
    async organisation() {
      const { source, target } = started();
      const organisation = await makeOrganisation(source);
      const { text: key } = await makeKey(source, organisation.id, organisation.ownerId);
      return { ...organisation, key, options: between(source, target, organisation.id) };
    },
    expectNothingLeft: () => expectNoTraces(started()),
  };
}

export const between = (source: Cell, target: Cell, organisation: string): Options => ({
  ...{ organisation, from: "one", to: "two", sourceUrl: source.adminUrl, targetUrl: target.adminUrl },
});

/** The tables with rows of the organisation, besides the audit log. */
export async function tablesWithRows(cell: Cell, organisation: string): Promise<string[]> {
  const tables = await cell.sql<{ quoted: string; key: string }>(
    "select quoted, key from service.moved_tables where not is_kept",
  );
  const counts = tables.map(
    ({ quoted, key }) => `select '${quoted}' as name, count(*) from app.${quoted} where ${key} = $1`,
  );
  const found = await cell.sql<{ name: string; count: string }>(counts.join(" union all "), [organisation]);
  return found.filter(({ count }) => count !== "0").map(({ name }) => name);
}

/** Expects no object of any move in either cell. */
export async function expectNoTraces({ source, target }: Pick<TwoCells, "source" | "target">): Promise<void> {
  for (const cell of [source, target]) expect(await cell.sql(traces)).toEqual([]);
}

const traces = `
  select polname as name from pg_policy where polname = 'botstead_move'
  union all select tgname from pg_trigger where tgname like 'botstead_move%'
  union all select pubname from pg_publication
  union all select slot_name from pg_replication_slots
  union all select rolname from pg_roles where rolname like 'botstead_move%'
  union all select subname from pg_subscription where subname like 'botstead_move%'`;
