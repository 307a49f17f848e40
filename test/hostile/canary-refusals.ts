/**
 * Requests with canaries that are refused, for every code. Faults of the service and outages are in the test itself.
 */

import type { Client } from "pg";
import { setLimits } from "../support/database.ts";
import type { Came } from "../support/reliability.ts";
import { eventually } from "../support/worker.ts";
import { secrets, unkept, words } from "./canaries.ts";
import type { CanaryFixture } from "./canary-fixture.ts";
import { memory } from "./canary-ways.ts";

/** Refusals that a single request causes. */
export async function beRefused(here: CanaryFixture): Promise<Came> {
  const { send, site, console: console_ } = here;
  const again = { idempotencyKey: unkept.idempotencyKey };
  const status = async (reply: ReturnType<typeof send>) => (await reply).status;
  const events = ["run.finished"];
  const refused: [number, Promise<number>][] = [
    [401, status(send("GET", "/me", undefined, { key: unkept.wrongKey }))],
    [401, status(send("GET", "/keys", undefined, { key: secrets.secondKey }))],
    [404, status(send("GET", `/${unkept.path}`))],
    [404, status(send("GET", `/bots/${unkept.path}`))],
    [400, status(send("GET", `/bots?limit=${unkept.query}`))],
    [400, status(send("POST", "/memories", undefined, { raw: `{"value":"${unkept.malformed}` }))],
    [400, status(send("POST", "/memories", { ...memory(), kind: unkept.malformed.repeat(20) }))],
    [422, status(send("POST", "/memories", { ...memory(), value: "another" }, again))],
    [405, status(send("PUT", "/memories", { value: words.memory }))],
    [403, status(send("POST", "/memories", { ...memory(), kind: "health", subjectKind: "third_party" }))],
    [400, status(send("POST", "/webhooks", { url: `https://user:${unkept.malformed}@example.com/`, events }))],
    [400, status(send("POST", "/webhooks", { url: `http://a.example/${unkept.malformed}`, events }))],
    [413, status(send("POST", "/memories", { ...memory(), value: words.memory.repeat(60_000) }))],
    [
      401,
      fetch(`${console_}/graphql`, { headers: { authorization: `Bearer ${unkept.wrongKey}` } }).then((r) => r.status),
    ],
    [404, fetch(`${site}/invitation/${unkept.wrongKey}`).then((r) => r.status)],
    [404, fetch(`${site}/approval/${unkept.wrongKey}`).then((r) => r.status)],
    [404, fetch(`${site}/${unkept.path}?${unkept.query}`).then((r) => r.status)],
  ];
  const came: Came = [];
  for (const [wanted, is] of refused) came.push([wanted, await is]);
  return came;
}

/** Refusals that the state of an organisation causes. The address of the invited person is already invited. */
export async function beRefusedByState(here: CanaryFixture, db: Client): Promise<Came> {
  const { send } = here;
  const { body: organisation } = await send("GET", "/organisation");
  const { data } = (await send("GET", "/bots")).body;
  const run = { botId: data[0].id, message: unkept.unpaid };
  const invite = async (email: string) => (await send("POST", "/invitations", { email, role: "member" })).status;
  /** Temporarily changes a column of the organisation. */
  const whileSet = async (column: string, value: unknown, call: () => Promise<number>) => {
    const { rows } = await db.query(`select ${column} as before from app.organisations where id = $1`, [
      organisation.id,
    ]);
    const set = (to: unknown) =>
      db.query(`update app.organisations set ${column} = $2 where id = $1`, [organisation.id, to]);
    await set(value);
    const status = await call();
    await set(rows[0]?.before);
    return status;
  };
  const sql = (text: string, values: unknown[]) => db.query(text, values);
  const whileNone = async (limit: string, call: () => Promise<number>) => {
    await setLimits({ sql }, organisation.id, { [limit]: 0 });
    const status = await call();
    await sql("delete from app.organisation_limits where organisation_id = $1 and name = $2", [organisation.id, limit]);
    return status;
  };
  return [
    [402, await whileSet("billing_state", "none", async () => (await send("POST", "/runs", run)).status)],
    [409, await invite(words.invited)],
    [429, await whileNone("openInvitations", () => invite(unkept.uninvited))],
    [[409, 201], await atOnce(here)],
    [429, await untilLimited(here, "/platform/organisations?limit=1", secrets.platformKey)],
    [429, await untilLimited(here, `/me?${unkept.query}`, unkept.wrongKey)], // counts per address
  ];
}

/** Sends two requests under one Idempotency-Key, the second while the first is in progress. */
async function atOnce({ send, connect }: CanaryFixture): Promise<number[]> {
  const holder = await connect();
  try {
    await holder.query("begin; lock table app.idempotency_records in exclusive mode");
    const again = { idempotencyKey: `${unkept.idempotencyKey} at once` };
    const first = send("POST", "/memories", memory(), again);
    const waiting = "select from pg_locks where not granted and relation = 'app.idempotency_records'::regclass";
    await eventually(async () => (await holder.query(waiting)).rowCount === 1);
    const second = await send("POST", "/memories", memory(), again);
    await holder.query("commit");
    return [second.status, (await first).status];
  } finally {
    await holder.end();
  }
}

/** Sends requests until the rate limit of 60 a minute refuses one. A new minute may begin meanwhile. */
async function untilLimited({ send }: CanaryFixture, path: string, key: string | undefined): Promise<number> {
  let status = 0;
  for (let calls = 0; calls < 130 && status !== 429; calls += 1) {
    status = (await send("GET", path, undefined, { key })).status;
  }
  return status;
}
