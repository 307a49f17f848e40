/** The lists of the portal with many rows: their data, and a script that loads their pages in the browser. */
import type { TestDatabase } from "./database.ts";
import { multiply } from "./many-rows.ts";
import { type PortalData, portalPagesOf } from "./portal-data.ts";
import type { PortalTab } from "./portal-page.ts";
import { listFunctions } from "./still-page.ts";

/** Captions of every list that can be longer than a page. */
export const longLists = [
  "API keys",
  "Approvals, newest first",
  "Audit log entries, newest first",
  "Bots",
  "Deliveries, newest first",
  "Endpoints",
  "Events, newest first",
  "Hooks",
  "Invitations",
  "Members",
  "Memories",
  "Routines",
  "Runs, newest first",
  "Steps, newest first",
];

/** Gives each list of the portal this many rows. */
export async function fillLists(db: TestDatabase, data: PortalData, rows: number): Promise<void> {
  const { who, endpoint, delivery, key, runs } = data;
  const [run] = await db.sql<{ conversation: string }>(
    "select conversation_id as conversation from app.runs where id = $1",
    [runs.queued],
  );
  const ids = {
    organisation: who.organisation.id,
    owner: who.organisation.ownerId,
    admin_key: key,
    bot: who.bot,
    conversation: run?.conversation ?? "",
    run: runs.completed,
    endpoint,
    test_delivery: delivery,
  };
  await multiply(db, ids, rows);
  // The portal lists the approvals of its person.
  await db.sql(
    `begin;
     set local session_replication_role = replica;
     update app.approvals approval set person_id = '${who.organisation.ownerId}', proposal = real.proposal
     from app.approvals real where approval.proposal = '{}' and real.kind = 'memory' and real.proposal <> '{}';
     commit`,
  );
  await db.sql("vacuum analyze");
}

/** Gives the rows of each list one to four lines of text, in no order. The audit log gets rows, because it has only rows of this week. */
export async function mixHeights(db: TestDatabase, organisation: string, rows: number): Promise<void> {
  const lines = (column: string, id = "id") =>
    `${column} = rtrim(repeat('Words to wrap ', 1 + (hashtext(${id}::text) & 3)))`;
  const of = `organisation_id = '${organisation}'`;
  await db.sql(
    `begin;
     set local session_replication_role = replica;
     update app.runs set state = 'failed', error = 'internal', finished_at = now() where ${of} and hashtext(id::text) & 1 = 0;
     update app.webhook_endpoints set description = case when hashtext(id::text) & 1 = 0 then null else 'With a line below' end where ${of};
     update app.bots set ${lines("name")}, ${lines("instructions")} where ${of};
     update app.memories set ${lines("subject")} where ${of};
     update app.routines set ${lines("name")} where ${of};
     update app.hooks set ${lines("name")} where ${of};
     update app.api_keys set ${lines("name")} where ${of};
     update app.people set ${lines("display_name")} where id in (select person_id from app.memberships where ${of});
     insert into app.audit_log (organisation_id, id, sequence, actor, request_id, action, resource, resource_id, changed, hash)
     select organisation_id, uuidv7(), 2000000 + number, actor, request_id, action, resource, resource_id, changed, sha256(uuidv7()::text::bytea)
     from (select * from app.audit_log where ${of} limit 1) entry, generate_series(1, ${rows}) number;
     commit`,
  );
}

/** `requests`: of the API, with a cursor. `rendered`: rows in the document at the end. `ms`: of each page after the first. */
export type PagedList = { name: string; loaded: number; rendered: number; requests: number; ms: number[] };

/** Loads pages in the browser, because round trips of Playwright take longer than a page. Names of other rows are read 200 at a time. */
const script = (pages: number, quietMs: number) => `(async () => {
  ${listFunctions}
  const lists = [];
  const isPage = ({ name }) => /\\/api\\/v1\\/.*[?&](cursor|after)=/.test(name) && !name.includes("limit=200");
  const requests = () => performance.getEntriesByType("resource").filter(isPage).length;
  for (let all = -1; ${quietMs} > 0 && all !== performance.getEntriesByType("resource").length; ) {
    all = performance.getEntriesByType("resource").length;
    await new Promise((passed) => setTimeout(passed, ${quietMs}));
  }
  for (const part of document.querySelectorAll(".table-part")) {
    const ms = [];
    const before = requests();
    while (isBusy(part)) await frame();
    while (moreOf(part) && ms.length < ${pages}) {
      const start = performance.now();
      await loadPage(part);
      ms.push(performance.now() - start);
    }
    const rendered = part.querySelectorAll("tbody tr:not(.spacer)").length;
    lists.push({ name: part.querySelector("caption").textContent, loaded: countOf(part), rendered, requests: requests() - before, ms });
  }
  return lists;
})()`;

/**
 * Opens each page of the portal and loads pages of its long lists.
 *
 * @param quietMs waits until no request ends in this time, so that the page's other requests are not measured
 */
export async function pageLists(tab: PortalTab, data: PortalData, pages: number, quietMs = 0): Promise<PagedList[]> {
  const found: PagedList[] = [];
  for (const path of new Set(Object.values(portalPagesOf(data)))) {
    await tab.open(path);
    found.push(...(await tab.page.evaluate<PagedList[]>(script(pages, quietMs))).filter(({ ms }) => ms.length > 0));
  }
  return found;
}
