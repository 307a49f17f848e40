/** What deliveries need in the database: endpoints at the receivers, and something to announce. */
import { Client } from "pg";
import { finishedRun } from "../../src/contract/events.ts";
import { seal } from "../../src/secrets/seal.ts";
import type { Data } from "../data.ts";

/** Whose endpoints there are, and how many each has. */
const organisations = 20;
const endpointsEach = 2;

const runFinished = JSON.stringify(finishedRun);

export type Announcer = Awaited<ReturnType<typeof openAnnouncer>>;

/** As the database's administrator, with all triggers: what is written here is queued as it is in use. */
export async function openAnnouncer({ adminUrl, key }: Data, urls: string[]) {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  const secret = seal(key.sealing, "webhook-secret", `whsec_${Buffer.alloc(32).toString("base64")}`);
  const ask = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values)).rows;

  await ask("update app.webhook_endpoints set deleted_at = now() where deleted_at is null"); // of an earlier run
  const owners = (
    await ask<{ id: string }>("select id from app.organisations order by id limit $1", [organisations + 1])
  ).map(({ id }) => id);
  const silentOwner = owners.pop() ?? "";

  async function endpoint(organisation: string, url: string): Promise<string> {
    const [made] = await ask<{ id: string }>(
      `insert into app.webhook_endpoints (organisation_id, url, events, secret_sealed)
       values ($1, $2, '{run.finished}', $3) returning id`,
      [organisation, url, secret],
    );
    return made?.id ?? "";
  }

  const made: string[] = [];
  for (const [index, owner] of owners.entries()) {
    for (let each = 0; each < endpointsEach; each += 1) {
      made.push(await endpoint(owner, urls[(index * endpointsEach + each) % urls.length] ?? ""));
    }
  }
  let silent: string | undefined;

  return {
    /** One event, delivered to each endpoint of one organisation. Answers when the commit began, and which deliveries. */
    async announce(turn: number): Promise<{ committedMs: number; ids: string[] }> {
      await ask("begin");
      const [event] = await ask<{ id: string }>(
        "insert into app.events (organisation_id, kind, data) values ($1, 'run.finished', $2) returning id",
        [owners[turn % owners.length], runFinished],
      );
      const rows = await ask<{ id: string }>("select id from app.deliveries where event_id = $1", [event?.id]);
      const committedMs = Number(process.hrtime.bigint()) / 1e6;
      await ask("commit");
      return { committedMs, ids: rows.map(({ id }) => id) };
    },

    /** That many deliveries in one transaction, spread over all endpoints. */
    async announceMany(count: number): Promise<void> {
      await ask(
        `insert into app.events (organisation_id, kind, data)
         select ($1::uuid[])[1 + n % cardinality($1::uuid[])], 'run.finished', $2
         from generate_series(1, $3::integer) n`,
        [owners, runFinished, count / endpointsEach],
      );
    },

    /** An endpoint of somebody else's that never answers, with that many pending deliveries. */
    async fillSilent(count: number): Promise<void> {
      silent = await endpoint(silentOwner, `${urls[0]}/silent`);
      await ask(
        `insert into app.events (organisation_id, kind, data)
         select $1, 'run.finished', $2 from generate_series(1, $3::integer)`,
        [silentOwner, runFinished, count],
      );
    },

    async deleteSilent(): Promise<void> {
      await ask("update app.webhook_endpoints set deleted_at = now() where id = $1", [silent]);
    },

    /** How many deliveries of well-behaved endpoints have no outcome yet. */
    async pending(): Promise<number> {
      const [row] = await ask<{ count: string }>(
        "select count(*) from app.deliveries where organisation_id = any ($1) and endpoint_id = any ($2) and state = 'pending'",
        [owners, made],
      );
      return Number(row?.count);
    },

    close: () => client.end(),
  };
}
