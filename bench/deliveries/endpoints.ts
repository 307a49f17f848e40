/** Creates endpoints for the receivers, and inserts events to deliver to them. */
import { Client } from "pg";
import { eventData } from "../../src/contract/event-examples.ts";
import { seal } from "../../src/secrets/seal.ts";
import type { Data } from "../data.ts";

/** Organisations with endpoints, and endpoints of each. */
const organisations = 20;
const endpointsEach = 2;

const data = JSON.stringify(eventData["run.finished"]);

export type EventWriter = Awaited<ReturnType<typeof openEventWriter>>;

/** Writes as administrator with all triggers, so that events are queued as in production. */
export async function openEventWriter({ adminUrl, key }: Data, urls: string[]) {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  const secret = seal(key.sealing, "webhook-secret", `whsec_${Buffer.alloc(32).toString("base64")}`);
  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values)).rows;

  await query("update app.service_settings set webhook_allow_ranges = '{127.0.0.0/8,::1/128}'"); // its receivers are on loopback
  await query("update app.webhook_endpoints set deleted_at = now() where deleted_at is null"); // endpoints of an earlier run
  const owners = (
    await query<{ id: string }>("select id from app.organisations order by id limit $1", [organisations + 1])
  ).map(({ id }) => id);
  const hangingOwner = owners.pop() ?? "";

  async function endpoint(organisation: string, url: string): Promise<string> {
    const [row] = await query<{ id: string }>(
      `insert into app.webhook_endpoints (organisation_id, url, events, secret_sealed)
       values ($1, $2, '{run.finished}', $3) returning id`,
      [organisation, url, secret],
    );
    return row?.id ?? "";
  }

  const endpoints: string[] = [];
  for (const [index, owner] of owners.entries()) {
    for (let each = 0; each < endpointsEach; each += 1) {
      endpoints.push(await endpoint(owner, urls[(index * endpointsEach + each) % urls.length] ?? ""));
    }
  }
  let hanging: string | undefined;

  return {
    /** Inserts one event for each endpoint of one organisation. Returns the start time of the commit and the delivery ids. */
    async insertEvent(turn: number): Promise<{ committedMs: number; ids: string[] }> {
      await query("begin");
      const [event] = await query<{ id: string }>(
        "insert into app.events (organisation_id, kind, data) values ($1, 'run.finished', $2) returning id",
        [owners[turn % owners.length], data],
      );
      const rows = await query<{ id: string }>("select id from app.deliveries where event_id = $1", [event?.id]);
      const committedMs = Number(process.hrtime.bigint()) / 1e6;
      await query("commit");
      return { committedMs, ids: rows.map(({ id }) => id) };
    },

    /** Inserts `count` deliveries in one transaction, over all endpoints. */
    async insertDeliveries(count: number): Promise<void> {
      await query(
        `insert into app.events (organisation_id, kind, data)
         select ($1::uuid[])[1 + n % cardinality($1::uuid[])], 'run.finished', $2
         from generate_series(1, $3::integer) n`,
        [owners, data, count / endpointsEach],
      );
    },

    /** Creates a hanging endpoint of another organisation with `count` pending deliveries. */
    async fillHanging(count: number): Promise<void> {
      hanging = await endpoint(hangingOwner, `${urls[0]}/hanging`);
      await query(
        `insert into app.events (organisation_id, kind, data)
         select $1, 'run.finished', $2 from generate_series(1, $3::integer)`,
        [hangingOwner, data, count],
      );
    },

    async deleteHanging(): Promise<void> {
      await query("update app.service_settings set webhook_allow_ranges = '{127.0.0.0/8,::1/128}'"); // its receivers are on loopback
      await query("update app.webhook_endpoints set deleted_at = now() where id = $1", [hanging]);
    },

    /** Number of deliveries without an outcome, except deliveries of the hanging endpoint. */
    async pending(): Promise<number> {
      const [row] = await query<{ count: string }>(
        "select count(*) from app.deliveries where organisation_id = any ($1) and endpoint_id = any ($2) and state = 'pending'",
        [owners, endpoints],
      );
      return Number(row?.count);
    },

    close: () => client.end(),
  };
}
