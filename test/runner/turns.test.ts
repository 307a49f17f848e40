/**
 * Transactions that conflict over one conversation, stopped at the critical moment. (triggers/turns.sql,
 * triggers/limits.sql.)
 */
import type { Pool, PoolClient } from "pg";
import { makeExecutor } from "../support/database.ts";
import { type Customer, customer, officeOfFile } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";

let owner: Pool;
const office = officeOfFile();
beforeAll(async () => {
  owner = office.db.poolAs("owner", 4);
});

type Talk = { who: Customer; first: string; conversation: string };

/** A conversation with one queued run. */
async function talk(): Promise<Talk> {
  await makeExecutor(office.db);
  const who = await customer(office);
  const first = await who.run();
  const { conversationId } = (await who.ask("GET", `/runs/${first}`)).body;
  return { who, first, conversation: conversationId };
}

async function begun(): Promise<PoolClient> {
  const client = await owner.connect();
  await client.query("begin");
  return client;
}

/** Starts a run in the conversation. Returns its id. */
const start = async (client: PoolClient, { conversation }: Talk): Promise<string> =>
  (
    await client.query(
      `insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger)
       select organisation_id, bot_id, id, person_id, 'api' from app.conversations where id = $1 returning id`,
      [conversation],
    )
  ).rows[0].id;

const setState = (client: PoolClient, run: string, state: string) =>
  client.query(
    "update app.runs set state = $2::app.run_state, lease_id = case when $2 = 'running' then uuidv7() end where id = $1",
    [run, state],
  );

/** Has run its deferred triggers, and has not committed yet. */
const settle = (client: PoolClient) => client.query("set constraints all immediate");

async function commit(...clients: PoolClient[]): Promise<void> {
  for (const client of clients) {
    await client.query("commit");
    client.release();
  }
}

const waiting = async (client: PoolClient) => {
  const { processID } = client as unknown as { processID: number };
  const [session] = await office.db.sql<{ type: string }>(
    "select wait_event_type as type from pg_stat_activity where pid = $1",
    [processID],
  );
  return session?.type === "Lock";
};

const next = async ({ conversation }: Talk) =>
  (
    await office.db.sql<{ next: string | null }>("select next_run_id as next from app.conversations where id = $1", [
      conversation,
    ])
  )[0]?.next;

test("a run that is started while the previous one ends becomes the next run", async () => {
  const at = await talk();
  const taken = await begun();
  await setState(taken, at.first, "running");
  await commit(taken);
  const [ending, starting] = [await begun(), await begun()];
  await setState(ending, at.first, "completed");
  await settle(ending); // it has seen no queued run
  const second = await start(starting, at);
  const settled = settle(starting); // it must wait for the other transaction
  await eventually(() => waiting(starting));
  await commit(ending);
  await settled;
  await commit(starting);
  expect(await next(at)).toBe(second);
});

test("concurrent cancellations of the first and second run make the third the next run", async () => {
  const at = await talk();
  const [second, third] = [await at.who.run(), await at.who.run()];
  const [one, two] = [await begun(), await begun()];
  await setState(one, at.first, "cancelled");
  await settle(one);
  await setState(two, second, "cancelled");
  const settled = settle(two);
  await eventually(() => waiting(two));
  await commit(one);
  await settled;
  await commit(two);
  expect(await next(at)).toBe(third);
});

test("two transactions that write runs of one conversation in opposite orders do not deadlock", async () => {
  const at = await talk();
  const second = await at.who.run();
  const taken = await begun();
  await setState(taken, at.first, "running");
  await commit(taken);
  // Finishes the running run and cancels the one behind it, in two transactions that continue afterwards.
  const [one, two] = [await begun(), await begun()];
  await setState(one, at.first, "completed");
  await setState(two, second, "cancelled");
  const third = await start(one, at);
  await commit(one);
  await commit(two);
  expect(await next(at)).toBe(third);
});

test("of concurrently started runs the first to commit is the next run", async () => {
  const at = await talk();
  const [earlier, later] = [await begun(), await begun()];
  await earlier.query("select limits.lock_organisation($1)", [at.who.organisation.id]);
  const behind = start(later, at); // calls first, and has to wait
  await eventually(() => waiting(later));
  const before = await start(earlier, at);
  await commit(earlier);
  const after = await behind;
  await commit(later);
  expect(after > before).toBe(true);
});
