/**
 * The contract's own tests, answered by many machines: HAProxy, two servers of the API, PgBouncer in transaction mode, and a
 * replica for reads.
 */
import { serveBy } from "../support/api.ts";
import { serveByMany } from "./many.ts";
import { type Standby, startStandbyOfTests } from "./standby.ts";

let standby: Standby;
beforeAll(async () => {
  standby = await startStandbyOfTests();
}, 60_000);

serveBy(serveByMany(() => standby));
await import("../contract/contract.test.ts");
