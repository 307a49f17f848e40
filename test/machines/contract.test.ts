/**
 * Runs the contract tests against HAProxy, two API processes, PgBouncer in transaction mode, and a replica for reads.
 */
import { serveBy } from "../support/api.ts";
import { startCluster, stopCluster } from "../support/cluster.ts";
import { areThere, testWith } from "../support/machine.ts";
import { type Many, serveByMany } from "./many.ts";
import { looksAt, type Standby, startStandbyOfFile } from "./standby.ts";

const programs = ["pgbouncer", "haproxy"];

if (areThere(...programs)) {
  let standby: Standby;
  let many: Many;
  beforeAll(async () => {
    await startCluster();
    standby = await startStandbyOfFile();
  });
  serveBy(
    serveByMany(
      () => standby,
      (opened) => (many = opened),
    ),
  );
  await import("../contract/contract.test.ts");

  // The contract tests do not show which server answered. This test checks that every server did.
  test("both API processes answered requests, and both read from the replica", async () => {
    for (const { value } of await many.metrics()) {
      expect(value("botstead_http_requests_total", { method: "POST" })).toBeGreaterThan(100);
      expect(value("botstead_replica_reads_total", { outcome: "replica" })).toBeGreaterThan(20);
    }
    expect(await looksAt(standby.urlOf(many.db.adminUrl))).toBeGreaterThan(100);
  });
  afterAll(stopCluster);
} else testWith(...programs)("the contract's tests, answered by many machines", async () => {});
