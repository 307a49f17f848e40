/**
 * The contract's own tests, answered by many machines: HAProxy, two servers of the API, PgBouncer in transaction mode, and a
 * replica for reads.
 */
import { serveBy } from "../support/api.ts";
import { areThere, testWith } from "../support/machine.ts";
import { serveByMany } from "./many.ts";
import { type Standby, startStandbyOfTests } from "./standby.ts";

const programs = ["pgbouncer", "haproxy"];

if (areThere(...programs)) {
  let standby: Standby;
  beforeAll(async () => {
    standby = await startStandbyOfTests();
  }, 60_000);
  serveBy(serveByMany(() => standby));
  await import("../contract/contract.test.ts");
} else testWith(...programs)("the contract's tests, answered by many machines", async () => {});
