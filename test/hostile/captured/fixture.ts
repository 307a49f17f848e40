/**
 * The organisations of the captured executor. `own` and `second` have runs for it: of owners, whom they trust, and of a member
 * whose runs are all tainted. Everything else of them is secret, and everything of `other`. Each secret text contains the
 * secret words.
 */
import type { TestApi } from "../../support/api.ts";
import { makeKey, makeMember, setLimits, type TestDatabase } from "../../support/database.ts";
import { type HandExecutor, handExecutor, leased } from "../../support/hand-executor.ts";
import { type Customer, customer } from "../../support/post-office.ts";
import { tenant } from "../tenancy-fixture.ts";

export const capturedModel = "captured";
const othersModel = "of others";

/** Words of secret texts, and what twin B has in their place. The executor guesses the first. */
export const secretWords = { heron: "egret", kestrel: "buzzard" };
const secret = "harbour heron kestrel";

/** A lease that another executor holds. */
export type Lease = { organisationId: string; runId: string; leaseId: string };

export type Facts = {
  /** The organisation whose runs it never leases, a key of scope admin, and rows by the first part of their path. */
  other: { id: string; key: string; rows: Record<string, string> };
  /** Leases of another executor, which works meanwhile. */
  leases: Lease[];
  /** Bots of all organisations. */
  bots: string[];
  /** Ids of rows of all tables, not the capabilities: leases and executors. */
  ids: string[];
};

const runsOfConversation = 6;

export async function makeFacts(db: TestDatabase, api: TestApi): Promise<Facts> {
  const pool = db.poolAs("runner", 1);
  const others = await handExecutor(db, pool, [othersModel, "recall"]);
  const captured = await handExecutor(db, pool, [capturedModel]);
  const employers = [await makeEmployer(db, api, others, captured), await makeEmployer(db, api, others, captured)];
  for (const { queueRuns } of employers) await queueRuns();
  const other = await makeOther(db, api);
  await db.sql("delete from app.executors where id = $1", [captured.id]);
  await db.sql("update app.runs set budget_working = interval '1 day' where state = 'running'");
  await db.sql("update app.runs set lease_until = now() + interval '1 day' where state = 'running'");
  const leases = await db.sql<Lease>(
    `select organisation_id as "organisationId", id as "runId", lease_id as "leaseId" from app.runs where state = 'running' order by id`,
  );
  const tables = await db.sql<{ name: string }>(
    `select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'app'::regnamespace and relkind in ('r', 'p') and not relispartition and attname = 'id' and atttypid = 'uuid'::regtype
       and relname <> 'executors'`,
  );
  const all = tables.map(({ name }) => `(select id from ${name} order by id limit 12)`).join(" union all ");
  const ids = await db.sql<{ id: string }>(`select id from (${all}) every order by id`);
  return {
    other,
    leases,
    bots: [
      ...employers.flatMap(({ own }) => own),
      ...(await db.sql<{ id: string }>("select id from app.bots order by id")).map(({ id }) => id),
    ],
    ids: ids.map(({ id }) => id),
  };
}

/** Returns the bots of the captured executor, and a function that starts its runs. */
async function makeEmployer(
  db: TestDatabase,
  api: TestApi,
  others: HandExecutor,
  captured: HandExecutor,
): Promise<{ own: string[]; queueRuns(): Promise<void> }> {
  const who = await customer({ db, api }, capturedModel);
  const { id: organisation } = who.organisation;
  await setLimits(db, organisation, { runStartsPerHour: null });
  const [outsider, neighbour] = [
    await makeMember(db, organisation, "admin"),
    await makeMember(db, organisation, "admin"),
  ];
  const as = async (person: string) => {
    const key = (await makeKey(db, organisation, person, "write")).text;
    return async (path: string, body: unknown) => {
      const reply = await api.call("POST", path, { key, body });
      if (reply.status >= 300) throw new Error(`POST ${path}: ${reply.status} ${reply.text}`);
      return reply.body.id as string;
    };
  };
  const byOutsider = await as(outsider);
  const byNeighbour = await as(neighbour);
  await who.ask("POST", "/memories", { scope: "organisation", kind: "note", subject: "harbour", value: "It is open." });
  await db.sql(
    `insert into app.memories (organisation_id, scope, member_id, kind, subject, value, provenance, source)
     select $1, 'member', person, 'note', 'harbour', value, 'member', 'app' from unnest($2::uuid[]) person, unnest($3::text[]) value`,
    [organisation, [outsider, neighbour], [secret, "heron"]],
  );
  await who.ask("POST", "/webhooks", {
    url: "https://heron.kestrel.example/",
    events: ["run.finished", "approval.needed", "memory.created"],
  });
  await who.ask("POST", "/invitations", { email: `heron.${organisation}@kestrel.example` });
  await who.ask("POST", "/routines", { botId: who.bot, name: secret, schedule: "0 9 1 1 *", message: secret });
  await makeConversations(who, others, captured, { byOutsider, byNeighbour });
  const own = [who.bot, (await who.ask("POST", "/bots", { name: "Grace", model: capturedModel })).body.id as string];
  const queueRuns = async () => {
    for (let run = 0; run < runsOfConversation; run += 1) {
      for (const botId of own)
        await who.ask("POST", "/runs", { botId, message: `harbour ${run}`, untrusted: run % 3 === 1 });
      await byOutsider("/runs", { botId: who.bot, message: `harbour ${run}`, untrusted: true });
    }
    await db.sql("update app.memberships set role = 'member' where organisation_id = $1 and person_id = $2", [
      ...[organisation, outsider], // only now: keys are of admins
    ]);
  };
  return { own, queueRuns };
}

/** What is secret in the conversations of the bot, and runs of others that are under way. */
async function makeConversations(
  who: Customer,
  others: HandExecutor,
  captured: HandExecutor,
  { byOutsider, byNeighbour }: Record<"byOutsider" | "byNeighbour", (path: string, body: unknown) => Promise<string>>,
): Promise<void> {
  const start = { botId: who.bot, message: secret };
  await who.ask("POST", "/runs", { ...start, untrusted: true }); // no later run of the owner sees it
  await captured.finish(await leased(captured), secret);
  await byOutsider("/runs", start); // no tainted run sees it
  await captured.finish(await leased(captured), secret);
  await byNeighbour("/runs", { ...start, untrusted: true });
  const proposing = await leased(captured);
  await captured.keyedStep(proposing, "search", { found: secret });
  await captured.propose(proposing, { scope: "member", kind: "note", subject: "harbour", value: secret });
  await captured.ask(proposing, secret, secret); // so no other run of this conversation is leased
  const bot = { visibility: "personal", name: secret, instructions: secret, model: othersModel };
  const personal = await byNeighbour("/bots", bot);
  await byNeighbour("/memories", { scope: "bot", botId: personal, kind: "note", subject: "harbour", value: secret });
  await byNeighbour("/runs", { botId: personal, message: secret });
  await others.keyedStep(await leased(others), "search", { found: secret });
}

/** An organisation with rows in every table. Two of its runs are under way, the others have ended. */
async function makeOther(db: TestDatabase, api: TestApi): Promise<Facts["other"]> {
  const { organisation, rows } = await tenant(db, api);
  const { organisationId: id, admin: key } = organisation;
  await db.sql(
    `update app.runs run
     set state = 'running', lease_id = gen_random_uuid(), lease_until = now() + interval '1 day', working_since = now()
     where organisation_id = $1 and state = 'queued' and not postponed
       and not exists (select from app.runs other where other.organisation_id = $1
         and other.conversation_id = run.conversation_id and (other.id < run.id and other.state = 'queued' or other.state in ('running', 'waiting_approval')))`,
    [id],
  );
  await db.sql("update app.runs set state = 'cancelled' where organisation_id = $1 and state = 'queued'", [id]);
  return { id, key, rows };
}
