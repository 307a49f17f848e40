/** Runs whose events are written by hand, and endpoints that receive them in order. */
import { randomUUID } from "node:crypto";
import type { Json } from "./api.ts";
import { minutesAgo } from "./events.ts";
import type { Hook } from "./hooks.ts";
import { type Customer, customer, type PostOffice, status } from "./post-office.ts";
import { eventually } from "./worker.ts";

export const kinds = ["run.started", "approval.needed", "run.blocked", "run.finished"];

export function orderedRuns(office: PostOffice) {
  async function subscribe(who: Customer, hook: Hook, more: Json = {}): Promise<string> {
    const body = { url: hook.url, events: kinds, orderPerRun: true, ...more };
    return (await who.ask("POST", "/webhooks", body)).body.id;
  }

  /** Writes events of one run, as its executor would. */
  async function announce(who: Customer, runId: string, ...written: string[]): Promise<void> {
    for (const kind of written) {
      await office.db.sql("insert into app.events (organisation_id, kind, data) values ($1, $2, $3)", [
        who.organisation.id,
        kind,
        JSON.stringify({ runId, botId: who.bot }),
      ]);
    }
  }

  const recover = async (who: Customer, endpoint: string, include: string) =>
    (await who.ask("POST", `/webhooks/${endpoint}/recover`, { since: minutesAgo(5), include })).body.recovered;

  /** What the receiver got: run and kind of each post, in order. */
  const posts = (hook: Hook) =>
    hook.posts().map(({ body }) => {
      const { event, data } = JSON.parse(body);
      return [data.runId, event];
    });

  const postsOf = (hook: Hook, run: string) => posts(hook).flatMap(([id, event]) => (id === run ? [event] : []));

  /** Fails posts for which this holds, and accepts the others. */
  const failing =
    (fails: (body: Json) => boolean): Hook["answer"] =>
    (request, response) => {
      const body = JSON.parse((office.receiver.received.at(-1) as { body: string }).body);
      status(fails(body) ? 500 : 200)(request, response);
    };

  const states = async (endpoint: string) =>
    (
      await office.db.sql<{ state: string; attempts: number }>(
        "select state, attempts from app.deliveries where endpoint_id = $1 order by event_id",
        [endpoint],
      )
    ).map(({ state, attempts }) => `${state} ${attempts}`);

  const settled = (endpoint: string, ...expected: string[]) =>
    eventually(async () => (await states(endpoint)).join() === expected.join());

  /** Deliveries of the endpoint that wait for an earlier one. */
  const deferred = async (endpoint: string) =>
    (
      await office.db.sql(
        `select from app.deliveries where endpoint_id = $1 and state = 'pending' and attempts = attempts_before_round
           and next_attempt_at > times.clock()`,
        [endpoint],
      )
    ).length;

  /** An endpoint and a run whose two deliveries have failed. From then on a round has five attempts. */
  async function bothFailed() {
    await office.db.sql("update app.service_settings set delivery_max_attempts = 1");
    const who = await customer(office);
    const run = randomUUID();
    const hook = office.hook(status(500));
    const endpoint = await subscribe(who, hook);
    await announce(who, run, "run.started", "run.finished");
    await settled(endpoint, "failed 1", "failed 1");
    await office.db.sql("update app.service_settings set delivery_max_attempts = 5");
    const rows = await office.db.sql<{ id: string }>(
      "select id from app.deliveries where endpoint_id = $1 order by event_id",
      [endpoint],
    );
    return { who, run, hook, endpoint, failed: rows.map(({ id }) => id) };
  }

  return { subscribe, announce, recover, posts, postsOf, failing, states, settled, deferred, bothFailed };
}
