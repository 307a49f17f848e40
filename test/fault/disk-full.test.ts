/** A full disk: for tables only, while the write-ahead log has space; and for everything, including the log. */
import { chownSync, statSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { urlOfDatabase } from "../../src/database/urls.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { startCluster, stopCluster } from "../support/cluster.ts";
import { testDatabase } from "../support/database.ts";
import { testWithMounts } from "../support/machine.ts";
import { isAlive } from "../support/process-tree.ts";
import { commandOn, killPrograms } from "../support/program.ts";
import { howMany } from "../support/reliability.ts";
import { eventually } from "../support/worker.ts";
import { apiAlone } from "./api-alone.ts";
import { openFixture } from "./fixture.ts";
import { startMixedLoad } from "./mixed-load.ts";
import { smallDisk } from "./small-disk.ts";

const diskTest = testWithMounts();
const times = howMany(1, 5);

diskTest("writes without space for tables are refused until there is space, and reads continue", async () => {
  const disk = smallDisk(96);
  await startCluster(); // a tablespace belongs to the cluster
  const db = await testDatabase();
  const root = new Client({ connectionString: urlOfDatabase("postgres", db.adminUrl) });
  await root.connect();
  try {
    const { uid, gid } = statSync(join(db.dataDir, "postgres"));
    chownSync(disk.folder, uid, gid);
    await root.query(`create tablespace small location '${disk.folder}'`);
    await root.query(`alter database ${new URL(db.adminUrl).pathname.slice(1)} set tablespace small`);
    const api = await apiAlone(db, db.adminUrl, db.dataDir);
    await api.start();
    const clients = await api.clients(3, 2);
    const load = startMixedLoad(api.url, clients);
    const refused = () =>
      load.made.flatMap(({ tries }) => tries).filter(({ answer }) => answer?.code === "unavailable");
    for (let each = 1; each <= times; each += 1) {
      await load.untilMore(12);
      disk.fill();
      const before = refused().length;
      await eventually(async () => refused().length > before + 20);
      const key = clients[0]?.key;
      expectAnswer("get_me", await api.call("GET", "/me", { key }));
      expectAnswer("list_memories", await api.call("GET", "/memories", { key }));
      expect(await commandOn(db, ["audit"])).toMatchObject({
        ...{
          code: 3,
          stderr: expect.stringMatching(/^The database refused: could not .*: No space left on device\.\n$/),
        },
      });
      expect(JSON.parse((await commandOn(db, ["doctor", "--json"])).stdout).checks).toContainEqual(
        expect.objectContaining({ check: "invariants", remedy: "Free space on the disk of the database." }),
      );
      disk.free();
    }
    await load.untilMore(12);
    await load.stop();
    await api.expectNothingLost(`disk full for tables, ${times} times`, load.made);
  } finally {
    disk.free();
    await killPrograms();
    await db.drop();
    await root.end();
    await stopCluster();
    disk.remove();
  }
});

diskTest(
  "PostgreSQL without space for WAL stops, and recovers with every acknowledged row once there is space",
  async () => {
    const disk = smallDisk(320);
    const fixture = await openFixture({ DATA_DIR: join(disk.folder, "data") });
    try {
      await fixture.start();
      const tenant = await fixture.tenant();
      const [load, beside] = [tenant.load(), await fixture.beside()];
      let over = 0;
      for (let each = 1; each <= times; each += 1) {
        await Promise.all([load.untilMore(5), beside.untilMore(18)]);
        const { main, api, worker, postgres } = fixture.started().parts();
        disk.fill();
        // Uses up all segments of the write-ahead log. PostgreSQL panics when it cannot create another.
        await eventually(async () => {
          await fixture.sql("select pg_logical_emit_message(false, 'full', 'disk'), pg_switch_wal()").catch(() => {});
          return !isAlive(postgres?.pid ?? 0);
        });
        const gone = performance.now();
        expectRefusal(await tenant.who.ask("GET", "/me", undefined, "mayFail"), "unavailable");
        const meanwhile = () => load.answers.filter(({ at }) => at > gone);
        await eventually(async () => meanwhile().length > howMany(9, 30));
        expect(new Set(meanwhile().map(({ code }) => code))).toEqual(new Set(["unavailable"]));
        disk.free();
        over = performance.now();
        await load.untilMore(5);
        const after = fixture.started().parts();
        expect([after.main?.pid, after.api?.pid, after.worker?.pid]).toEqual([main?.pid, api?.pid, worker?.pid]);
      }
      await load.stop();
      await beside.expectNothingLost(`disk full for tables and WAL, ${times} times: calls`);
      await tenant.expectNothingLost(`disk full for tables and WAL, ${times} times`, over);
    } finally {
      disk.free();
      await fixture.close();
      disk.remove();
    }
  },
);
