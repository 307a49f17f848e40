/**
 * The API as many machines serve it: HAProxy before two of its processes (here two servers of the test's process, which
 * share nothing), PgBouncer between each and PostgreSQL, and a replica that answers reads.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { callerOf, type Json, type ServeBy, type Served, serveAlone, type TestApi } from "../support/api.ts";
import { startBalancer } from "./balancer.ts";
import { closing } from "./closing.ts";
import { startPooler } from "./pooler.ts";
import { acknowledgeFromDisk, type Standby } from "./standby.ts";

export const serveByMany =
  (standby: () => Standby): ServeBy =>
  async (db, settings, buckets, limits) => {
    await acknowledgeFromDisk(db);
    const pooler = await startPooler(db);
    const many = {
      TRUSTED_PROXIES: "127.0.0.1",
      DATABASE_URL: pooler.urlOf(db.adminUrl),
      DATABASE_DIRECT_URL: db.adminUrl,
      DATABASE_READ_URL: standby().urlOf(db.adminUrl),
      MASTER_KEY: db.masterKey,
      ...settings,
    };
    const one = async (): Promise<Served> => {
      const { url, stop } = await serveAlone(db, many, buckets, limits);
      return { url, stop: closing(stop) };
    };
    const [first, second] = [await one(), await one()];
    const balancer = await startBalancer([first.url, second.url]);
    return {
      url: balancer.url,
      call: askingAgain(callerOf(balancer.url)),
      async stop() {
        await balancer.remove();
        await Promise.all([first.stop(), second.stop()]);
        await pooler.remove();
      },
    };
  };

/**
 * As clients do: 503 is asked again, POSTs under the same Idempotency-Key. Where so many processes share two cores, one of
 * them may be late.
 */
function askingAgain(call: TestApi["call"]): TestApi["call"] {
  return async <Body = Json>(method: string, path: string, options: Parameters<TestApi["call"]>[2] = {}) => {
    const { idempotencyKey = randomUUID() } = options;
    const same = { ...options, idempotencyKey };
    for (let tries = 1; ; tries += 1) {
      const reply = await call<Body>(method, path, same);
      if (reply.status !== 503 || tries === 3) return reply;
      await sleep(250);
    }
  };
}
