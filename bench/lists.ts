/**
 * `npm run bench -- lists`: milliseconds per page of every list of the console and the portal, with 10,000 rows each. Pages of
 * the console are queries over HTTP, in every order. Pages of the portal are loaded in Chromium, until the rows are painted.
 */
import { seedOrganisation, seedService } from "../test/sql/seed.ts";
import { unlimitedBuckets } from "../test/support/api.ts";
import { launchBrowser } from "../test/support/browser.ts";
import { startCluster, stopCluster } from "../test/support/cluster.ts";
import { mintToken, testConsole } from "../test/support/console.ts";
import { testDatabase } from "../test/support/database.ts";
import { portalData } from "../test/support/portal-data.ts";
import { fillLists, pageLists } from "../test/support/portal-lists.ts";
import { openPortal } from "../test/support/portal-page.ts";
import { openPostOffice } from "../test/support/post-office.ts";
import { askerOf, savedQueries } from "../test/support/saved-queries.ts";
import { fillServerLists, pagesOfList } from "../test/support/server-list-pages.ts";
import { rowsOf, serverLists } from "../test/support/server-lists.ts";
import { median } from "./median.ts";

const rows = 10_000;
const targetMs = 100;
/** Pages of each list of the portal. */
const pages = 12;
/** Without other requests of the page, before its lists are measured. */
const quietMs = 500;

/** A kind of request for a page of a list, and its median. */
type Measured = { list: string; request: string; ms: number };

/**
 * @param log also gets each request above the target
 * @returns Markdown tables
 */
export async function measureLists(rounds: number, log: (message: string) => void): Promise<string> {
  await startCluster();
  try {
    const [inConsole, inPortal] = [await measureConsole(rounds, log), await measurePortal(log)];
    const measured = [...inConsole, ...inPortal];
    const slow = measured.filter(({ ms }) => ms >= targetMs);
    for (const { list, request, ms } of slow) log(`${list}, ${request}: ${Math.round(ms)} ms`);
    return [
      `${rows.toLocaleString("en")} rows in each list; medians of ${rounds} rounds in the console, of ${pages} pages in the portal.`,
      [
        "| Console | newest first, ms | slowest request, ms | |",
        "|---|--:|--:|---|",
        ...serverLists.map((list) => consoleRow(inConsole.filter((each) => each.list === list))),
      ].join("\n"),
      [
        "| Portal | ms per page |",
        "|---|--:|",
        ...inPortal.map(({ list, ms }) => `| ${list} | ${Math.round(ms)} |`),
      ].join("\n"),
      `${slow.length} of ${measured.length} kinds of requests took ${targetMs} ms or more.`,
    ].join("\n\n");
  } finally {
    await stopCluster();
  }
}

function consoleRow(measured: Measured[]): string {
  const [first] = measured;
  const slowest = measured.reduce((one, other) => (other.ms > one.ms ? other : one));
  return `| ${first?.list} | ${Math.round(first?.ms ?? Number.NaN)} | ${Math.round(slowest.ms)} | ${slowest.request} |`;
}

async function measureConsole(rounds: number, log: (message: string) => void): Promise<Measured[]> {
  const db = await testDatabase();
  await seedService(db);
  const seeded = await seedOrganisation(db);
  await fillServerLists(db, seeded, rows);
  const { schema, end } = await askerOf(db);
  const console = await testConsole(db);
  const { text: token } = await mintToken(db, "view");
  const { organisation, endpoint } = seeded.ids;
  const read = async (list: string, variables: object) => {
    const start = performance.now();
    const given = { organisation, endpoint, first: 50, ...variables };
    const { data, errors } = await console.ask(savedQueries[list] ?? "", token, given);
    if (errors) throw new Error(`${list}: ${errors[0]?.message}`);
    return { ms: performance.now() - start, endCursor: rowsOf(data).pageInfo.endCursor };
  };
  const measured: Measured[] = [];
  for (const list of serverLists) {
    log(`console: ${list}`);
    const { endCursor } = await read(list, {});
    for (const [request, variables] of pagesOfList(schema, list, endCursor)) {
      const times: number[] = [];
      for (let round = 0; round <= rounds; round += 1) times.push((await read(list, variables)).ms);
      measured.push({ list, request, ms: median(times.slice(1)) }); // the first round is a warm-up
    }
  }
  await console.stop();
  await end();
  await db.drop();
  return measured;
}

async function measurePortal(log: (message: string) => void): Promise<Measured[]> {
  const office = await openPostOffice({ worker: false, buckets: unlimitedBuckets() });
  const data = await portalData(office, office.db.poolAs("runner"));
  await fillLists(office.db, data, rows);
  const browser = await launchBrowser();
  log("portal");
  const tab = await openPortal(browser, { url: office.api.url, who: data.who });
  const lists = await pageLists(tab, data, pages, quietMs);
  await browser.close();
  await office.close();
  const unique = new Map(lists.map((list) => [list.name, list])).values();
  return [...unique].map(({ name, ms }) => ({ list: name, request: "next page", ms: median(ms.slice(1)) }));
}
