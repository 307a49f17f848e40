/**
 * PostgreSQL reads the same rows by the same steps for an id of another organisation and for an unknown id. This covers
 * every statement of every operation, including functions and triggers, so response times reveal nothing.
 */
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { newRequestId } from "../../src/api/request.ts";
import { urlAs } from "../../src/database/urls.ts";
import { digestOf } from "../../src/secrets/credentials.ts";
import { makeKey } from "../support/database.ts";
import { logPlans } from "../support/plans.ts";
import { reportCounts } from "../support/reliability.ts";
import { rowOperations } from "../support/requests.ts";
import { besides, type Fixture, openFixture } from "./tenancy-fixture.ts";

const isPost = (operation: string) => rowOperations.some(({ name, method }) => name === operation && method === "post");

let fixture: Fixture;
let key: string;
beforeAll(async () => {
  fixture = await openFixture();
  await logPlans(fixture.db);
  const { organisation } = fixture.own;
  key = (await makeKey(fixture.db, organisation.organisationId, await organisation.row("owner"), "admin")).text;
});
afterAll(() => fixture?.close());

test("PostgreSQL executes the same steps for an id of another organisation as for an unknown id", async () => {
  const client = new Client({ connectionString: urlAs("server", fixture.db.adminUrl, fixture.db.key) });
  const plans: string[] = [];
  client.on("notice", ({ message }) => message?.includes("plan:") && plans.push(message));
  await client.connect();
  const faults: string[] = [];
  let steps = 0;
  /** The reads of a call, without what differs between executions. */
  async function readFor(name: string, input: object, id: string): Promise<string[]> {
    plans.length = 0;
    await client.query("begin");
    const digest = isPost(name) ? randomBytes(32) : null;
    const parameters = [
      digestOf(key),
      name,
      JSON.stringify({ ...input, id }),
      null,
      newRequestId(),
      digest,
      digest,
      null,
    ];
    await client.query("select api.handle($1, $2, $3, $4, $5, $6, $7, $8)", parameters);
    await client.query("rollback");
    return plans.flatMap((message) => stepsOf(JSON.parse(message.slice(message.indexOf("{"))).Plan));
  }
  try {
    await client.query("set plan_cache_mode = force_generic_plan");
    for (const { name, path, body } of rowOperations) {
      const foreign = fixture.foreignOf(path);
      const idName = path.match(/\{(\w+)\}/)?.[1] ?? "id";
      const example = body ? await fixture.own.organisation.example(fixture.documented(name)) : {};
      const input = { limit: 50, ...body?.safeParse(example).data };
      await readFor(name, { ...input, [idName]: foreign }, foreign); // the first execution makes the plans
      const theirs = await readFor(name, { ...input, [idName]: foreign }, foreign);
      const absent = besides(foreign, 1);
      const nobodys = await readFor(name, { ...input, [idName]: absent }, absent);
      steps += theirs.length;
      if (theirs.length === 0) faults.push(`${name}: no plan was plans`);
      if (theirs.join("\n") !== nobodys.join("\n")) {
        const differing = theirs.filter((step, place) => step !== nobodys[place]);
        faults.push(`${name}: ${differing.join("; ")}`);
      }
    }
    const mine = await readFor("get_bot", {}, fixture.own.rows.bots ?? "");
    const nobodys = await readFor("get_bot", {}, besides(fixture.own.rows.bots ?? "", 1));
    if (mine.join() === nobodys.join()) faults.push("get_bot: a row that is read leaves no trace here");
  } finally {
    await client.end();
  }
  reportCounts("execution steps for foreign and unknown ids", {
    acknowledged: steps,
    lost: 0,
    doubled: 0,
    unexpected: faults.length,
    note: `${rowOperations.length} operations`,
  });
  expect(faults).toEqual([]);
});

test("no index that a tenant call can use finds rows by id alone", async () => {
  const indexes = await fixture.db.sql<{ name: string }>(
    `select index.indexrelid::regclass::text as name
     from pg_index index
     join pg_class class on class.oid = index.indrelid and class.relnamespace = 'app'::regnamespace
     join pg_class as itself on itself.oid = index.indexrelid
     join pg_am method on method.oid = itself.relam and method.amname in ('btree', 'hash')
     join pg_attribute first on first.attrelid = class.oid and first.attnum = index.indkey[0]
     join pg_attribute organisation on organisation.attrelid = class.oid and organisation.attname = 'organisation_id'
     where first.attname in ('id', 'person_id') and not organisation.attnum = any (index.indkey::smallint[])
       and not class.relispartition`,
  );
  const reached = indexes.filter(({ name }) => !(name in notForTenants));
  reportCounts("indexes without the organisation", {
    acknowledged: indexes.length - reached.length,
    lost: 0,
    doubled: 0,
    unexpected: reached.length,
    note: "the others are partial, with a condition that no tenant call uses",
  });
  expect(reached).toEqual([]);
});

/** Index names, with the reason why no tenant call reads them. */
const notForTenants: Record<string, string> = {
  "app.runs_oldest_queued": "queued runs, for executors",
  "app.mails_unsent": "mail that is not sent, for workers",
  "app.webhook_endpoints_failing": "degraded endpoints, for operators",
  "app.webhook_endpoints_unreadable": "endpoints whose secret is lost, for operators",
  "app.hooks_unreadable": "hooks whose secret is lost, for operators",
  "app.audit_pending_entries_in_order": "written and read within one transaction; no call reads them",
  "app.operator_actions_in_order": "tenants have no right to read them",
};

type Node = Record<string, unknown> & { Plans?: Node[] };
const counted = ["Node Type", "Relation Name", "Index Name", "Actual Rows", "Actual Loops"];
const removed = ["Rows Removed by Filter", "Rows Removed by Index Recheck", "Heap Fetches", "Index Searches"];

function stepsOf(node: Node): string[] {
  const step = [...counted, ...removed].map((name) => node[name] ?? "").join(" ");
  return [step, ...(node.Plans ?? []).flatMap(stepsOf)];
}
