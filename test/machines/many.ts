/**
 * The API as many machines serve it: HAProxy before two of its processes (here two servers of the test's process, which
 * share nothing), PgBouncer between each and PostgreSQL, and a replica that answers reads.
 */
import { type ServeBy, type Served, serveAlone } from "../support/api.ts";
import { startBalancer } from "./balancer.ts";
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
    const one = (): Promise<Served> => serveAlone(db, many, buckets, limits);
    const [first, second] = [await one(), await one()];
    const balancer = await startBalancer([first.url, second.url]);
    return {
      url: balancer.url,
      async stop() {
        await balancer.remove();
        await Promise.all([first.stop(), second.stop()]);
        await pooler.remove();
      },
    };
  };
