/**
 * One Prometheus scrapes an installation in which every fault occurs, and one without faults. Every alert fires, for the
 * installation with the fault, and no panel of a board is empty. Most clear after the remedy of their runbook.
 * (docs/observing.md#alerts)
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, statfsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import type { Client } from "pg";
import { callerOf } from "../support/api.ts";
import { areThere, testWith, testWithMounts } from "../support/machine.ts";
import { boardExpressions, boardStatements, rules } from "../support/ops-files.ts";
import { type Customer, customer } from "../support/post-office.ts";
import { signalProcess } from "../support/process-tree.ts";
import { cli, command } from "../support/program.ts";
import { query } from "../support/query.ts";
import { blocksOf, runbooks } from "../support/runbooks.ts";
import { eventually } from "../support/worker.ts";
import { allowAudit, leaveWorkUndone, misconfigure, writeSegments } from "./faults.ts";
import { maxDescriptors, type Observed, observe } from "./observed.ts";

const programs = ["prometheus", "postgresql-client"];
const testHere = areThere(...programs) ? testWithMounts() : testWith(...programs);

let observed: Observed;
let ada: Customer;

afterAll(() => observed?.remove());

testHere("the alerts of a missing target, a missing audit and mixed installations fire", async () => {
  observed = await observe();
  const { prometheus, sql, untilFired } = observed;
  await untilFired(["BotsteadNotScraped", "BotsteadAuditMissing"]);
  await allowAudit(sql);
  await eventually(async () => (await prometheus.fired()).has("mixed BotsteadInstallationsMixed"));
});

testHere("the alerts of deliveries fire under load with unreachable receivers", async () => {
  const { hooks, home, sql, untilFired } = observed;
  const call = callerOf(home.api.replace("/api/v1", ""));
  ada = await customer({ db: { sql }, api: { call } });
  await ada.subscribe(hooks.hook());
  const unreachable = [];
  for (let each = 0; each < 8; each += 1)
    unreachable.push(await ada.subscribe({ ...hooks.hook(), url: `https://no-${each}.example/` }));
  await ada.ask("POST", "/routines", {
    botId: ada.bot,
    name: "Daily",
    schedule: "0 6 * * *",
    timeZone: "UTC",
    message: "Hi",
  });
  await ada.ask("POST", "/invitations", { email: "ivy@example.test", role: "member" });
  await ada.ask("GET", "/bots/nothing", undefined, "mayFail");
  for (let each = 0; each < 70; each += 1) await call("GET", "/bots");
  await ada.ask("GET", `/runs/${await ada.run()}?wait=1`); // makes the listening connection
  await untilFired(["BotsteadDeliveriesFailing", "BotsteadWayOutBroken"], async () => {
    await ada.run();
    await new Promise((resolve) => setTimeout(resolve, 1_000)); // between two runs: a rate needs attempts in several scrapes
  });
  // The organisation removes its unreachable endpoints. One stays for the boards.
  for (const { id } of unreachable.slice(1)) await ada.ask("DELETE", `/webhooks/${id}`);
});

testHere("the alerts of requests fire while a table is locked", async () => {
  const { openClient, untilFired } = observed;
  const holder = await openClient();
  await holder.query("begin; lock table app.bots in access exclusive mode");
  const list = () => Promise.all(Array.from({ length: 25 }, () => ada.ask("GET", "/bots", undefined, "mayFail")));
  await untilFired(["BotsteadFailing", "BotsteadSlow", "BotsteadPoolExhausted", "BotsteadTransactionOld"], list);
  await holder.query("rollback");
});

testHere("the alert of an old snapshot names its session", async () => {
  const { openClient, prometheus } = observed;
  const holder = await openClient();
  await holder.query("set application_name = 'a report'");
  await holder.query("begin isolation level repeatable read");
  const { rows } = await holder.query("select pg_backend_pid() as pid, current_user as role");
  const pid = String(rows[0].pid);
  const named = async () => (await prometheus.labelsOf("BotsteadSnapshotHeld")).find((labels) => labels.pid === pid);
  await eventually(async () => (await named()) !== undefined); // other sessions may have fired it before
  expect(await named()).toMatchObject({ role: rows[0].role, application: "a report", installation: "faulty" });
  await holder.query("rollback");
});

testHere("the alerts of a stopped process, descriptors and connections fire", async () => {
  const { home, started, sql, openClient, untilFired } = observed;
  const sockets: Socket[] = [];
  const clients: Client[] = [];
  const { api, worker } = started.parts();
  signalProcess(worker?.pid, "SIGSTOP");
  const { port } = new URL(home.api);
  for (let each = 0; each < maxDescriptors * 0.75; each += 1)
    sockets.push(connect(Number(port), "127.0.0.1").on("error", () => {}));
  await untilFired(["BotsteadPartDown", "BotsteadDescriptorsRunOut"]);
  for (const socket of sockets) socket.destroy();
  await untilFired(["BotsteadEventLoopBlocked"], async () => {
    signalProcess(api?.pid, "SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, 800)); // the time in which the event loop stands still
    signalProcess(api?.pid, "SIGCONT");
  });
  const sessions = await sql("select from pg_stat_activity where backend_type = 'client backend'");
  for (let each = sessions.length; each < 85; each += 1) clients.push(await openClient());
  await untilFired(["BotsteadConnectionsRunOut"]);
  await Promise.all(clients.map((client) => client.end()));
});

testHere("the alerts of overdue work and wrong configuration fire", async () => {
  const { started, sql, untilFired } = observed;
  await leaveWorkUndone(sql);
  await misconfigure(sql);
  signalProcess(started.parts().console?.pid, "SIGKILL"); // the next console counts findings at once
  await untilFired([
    ...["BotsteadNoExecutor", "BotsteadRunsWait", "BotsteadJobsFailed", "BotsteadJobsWait", "BotsteadMailWaits"],
    ...["BotsteadRoutinesLate", "BotsteadDeliveriesLate", "BotsteadOtherDefinitions", "BotsteadPartitionsRunOut"],
    ...["BotsteadAuditFindings", "BotsteadCredentialExpires", "BotsteadTransactionIdsRunOut", "BotsteadBackupOld"],
    ...["BotsteadCheckpointOld", "BotsteadAuditLogFaults"],
  ]);
});

testHere(
  "the alerts of WAL and disk fire while WAL is not archived, replayed or received and the disk is full",
  async () => {
    const { sql, untilFired, disk } = observed;
    await sql("select pg_create_physical_replication_slot('gone', true)");
    await writeSegments(sql, 10);
    // Again and again, because a checkpoint removes WAL meanwhile.
    const fillMostly = async () => {
      const { bavail, blocks, bsize } = statfsSync(disk.folder);
      const bytes = Math.max(0, bavail - Math.floor(blocks * 0.07)) * bsize;
      if (bytes > 0) appendFileSync(join(disk.folder, "ballast"), Buffer.alloc(bytes));
    };
    const alerts = ["BotsteadWalGrows", "BotsteadWalNotArchived", "BotsteadSlotInactive", "BotsteadReplicaLags"];
    await untilFired([...alerts, "BotsteadDiskFull"], fillMostly);
    disk.free();
  },
);

testHere("every command of the runbooks works", async () => {
  const { home } = observed;
  const prelude = `npx() { shift; '${process.execPath}' '${cli}' "$@"; }`;
  const { CONSOLE_PORT = "", PATH = "" } = { ...home.env, PATH: process.env.PATH };
  const blocks = [...runbooks].flatMap(([page, text]) => blocksOf(text, "bash").map((block) => ({ page, block })));
  expect(blocks.length).toBeGreaterThan(10);
  const run = (block: string) =>
    spawnSync("bash", ["--norc", "-c", `${prelude}\n${block.replaceAll(":3001/", `:${CONSOLE_PORT}/`)}`], {
      env: { PATH, ...home.env },
      cwd: dirname(home.dataDir),
      encoding: "utf8",
      input: "",
    });
  const mint = blocksOf(readFileSync("docs/observing.md", "utf8"), "bash").find((block) =>
    block.includes("operator mint"),
  );
  expect(run(mint ?? "").status).toBe(0);
  for (const { page, block } of blocks) {
    const ran = run(block);
    // These report the faults of this test by their exit code.
    if (/^npx botstead (audit|migrate --check)$/.test(block)) {
      expect([page, block, ran.stdout + ran.stderr]).toEqual([page, block, expect.stringMatching(/./)]);
      expect([1, 2]).toContain(ran.status);
      continue;
    }
    expect([page, block, ran.stderr, ran.status]).toEqual([page, block, "", 0]);
    expect([block, ran.stdout !== "" || /^(grep|psql "[^"]+"$)/.test(block)]).toEqual([block, true]);
  }
});

testHere("every panel of the boards has data, and Prometheus accepts every query of the runbooks", async () => {
  const { home, prometheus } = observed;
  const empty: string[] = [];
  for (const { where, expr } of boardExpressions()) {
    const query = expr.replaceAll("$__rate_interval", "15s").replaceAll("$installation", "faulty");
    if ((await prometheus.seriesOf(query)) === 0) empty.push(where);
  }
  expect(empty).toEqual([]);
  const operator = (await command(["database-url", "--role", "operator"], { env: home.env })).stdout.trim();
  for (const { where, sql: statement } of boardStatements()) {
    const text = statement
      .replaceAll("$__timeFrom()", "(now() - interval '1 hour')::text")
      .replaceAll("$__timeTo()", "now()::text")
      .replaceAll("$organisation", ada.organisation.id);
    expect([where, (await query(operator, text)).length > 0]).toEqual([where, true]);
  }
  const queries = [...runbooks.values()].flatMap((text) => blocksOf(text, "promql"));
  for (const expression of queries) await prometheus.seriesOf(expression);
});

testHere("alerts clear after the remedies of their runbooks", async () => {
  const { home, started, standby, prometheus, sql, startMissing, labelMixed, untilCleared } = observed;
  const lasting = [
    ...[
      "BotsteadSlotInactive",
      "BotsteadReplicaLags",
      "BotsteadWalNotArchived",
      "BotsteadWalGrows",
      "BotsteadPartDown",
    ],
    ...["BotsteadNoExecutor", "BotsteadDeliveriesLate", "BotsteadRoutinesLate", "BotsteadJobsFailed"],
    ...["BotsteadCredentialExpires", "BotsteadBackupOld", "BotsteadPartitionsRunOut", "BotsteadNotScraped"],
  ];
  await eventually(async () => {
    const firing = await prometheus.firing();
    return lasting.every((alert) => firing.has(`faulty ${alert}`));
  });
  const text = [...runbooks.values()].join("\n");
  const remedy = (pattern: RegExp) => {
    expect(text).toMatch(pattern);
    return pattern.exec(text)?.[0] ?? "";
  };
  await sql(remedy(/select pg_drop_replication_slot\('NAME'\)/).replace("NAME", "gone"));
  const resume = remedy(/select pg_wal_replay_resume\(\)/);
  await sql("alter system set archive_command = 'true'"); // the target is repaired
  await sql("select pg_reload_conf()");
  signalProcess(started.parts().worker?.pid, remedy(/Kill it with SIGKILL/).slice(-7) as "SIGKILL");
  remedy(/No worker runs: start one\. Maintenance creates partitions/); // the next worker
  remedy(/Give each installation its own label in the scrape configuration/);
  labelMixed();
  remedy(/No connection: the process is down\. Start it/);
  startMissing();
  await sql(remedy(/^select graphile_worker.reschedule_jobs[^;]+/m));
  const [old] = await sql<{ id: string }>("select id from app.operator_tokens where name = 'old'");
  for (const shown of [remedy(/npx botstead operator revoke ID/), remedy(/npx botstead backup record TOOL/)]) {
    const args = shown
      .replace("ID", old?.id ?? "")
      .split(" ")
      .slice(2);
    expect(await command(args, { env: home.env })).toMatchObject({ code: 0, stderr: "" });
  }
  const cleared = [
    ...lasting,
    ...["BotsteadDiskFull", "BotsteadDescriptorsRunOut", "BotsteadConnectionsRunOut", "BotsteadEventLoopBlocked"],
    ...[
      "BotsteadSnapshotHeld",
      "BotsteadTransactionOld",
      "BotsteadFailing",
      "BotsteadSlow",
      "BotsteadPoolExhausted",
      "BotsteadAuditMissing",
    ],
    ...["BotsteadRunsWait", "BotsteadJobsWait", "BotsteadMailWaits", "BotsteadCheckpointOld", "BotsteadAuditLogFaults"],
    ...["BotsteadDeliveriesFailing", "BotsteadWayOutBroken"],
  ];
  await untilCleared(cleared, async () => {
    await standby.sql(resume).catch(() => {}); // replay may cancel the statement that resumes it
    await sql("checkpoint"); // removes WAL
  });
  await eventually(async () => !(await prometheus.firing()).has("mixed BotsteadInstallationsMixed"));
});

testHere(
  "the alerts of the database and the listening connection fire while new connections are refused, and clear afterwards",
  async () => {
    const { sql, untilFired, untilCleared } = observed;
    await sql("alter role server connection limit 0; alter role operator connection limit 0");
    await sql("select pg_terminate_backend(pid) from pg_stat_activity where usename in ('server', 'operator')");
    await untilFired(["BotsteadDatabaseDown", "BotsteadNotListening"]);
    await sql("alter role server connection limit -1; alter role operator connection limit -1");
    await untilCleared(["BotsteadDatabaseDown", "BotsteadNotListening"], async () => {});
  },
);

testHere("every alert has fired for the faulty installation, and none for the other", async () => {
  const { prometheus } = observed;
  const fired = await prometheus.fired();
  const installationOf = (alert: string) => (alert === "BotsteadInstallationsMixed" ? "mixed" : "faulty");
  const silent = rules().filter(({ alert }) => !fired.has(`${installationOf(alert)} ${alert}`));
  expect(silent.map(({ alert }) => alert)).toEqual([]);
  // All tests share its server, and one late scrape fires hurried alerts.
  const ofServer = [
    "AuditFindings",
    "SnapshotHeld",
    "TransactionOld",
    "TransactionIdsRunOut",
    "SlotInactive",
    "ReplicaLags",
  ];
  const mayFire = [...ofServer, "DatabaseDown", "ConnectionsRunOut", "AuditMissing", "NotScraped"];
  const others = [...fired].filter(
    (each) => each.startsWith("healthy ") && !mayFire.some((name) => each.endsWith(name)),
  );
  expect(others).toEqual([]);
});
