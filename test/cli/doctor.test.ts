/** `botstead doctor`, `status` and `queue`: what they check and report. (docs/commands.md) */
import { checkSpace, remedyOf } from "../../src/cli/doctor.ts";
import { migrate } from "../../src/database/migrate.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { command, commandOn, jsonOf, killPrograms } from "../support/program.ts";
import { eventually, testWorker } from "../support/worker.ts";

const here = ownApiOfFile();
afterAll(killPrograms);

const unreachable = "postgres://postgres:x@127.0.0.1:1/botstead";
const env = () => ({ DATABASE_URL: here.db.adminUrl, MASTER_KEY: here.db.masterKey });
const botstead = (...args: string[]) => commandOn(here.db, args);

/** The result of one check of `doctor`. */
async function checked(name: string) {
  const { stdout } = await botstead("doctor", "--json");
  return JSON.parse(stdout).checks.find(({ check }: { check: string }) => check === name);
}

test("status and queue show workers, issues and what waits; status fails while an issue is critical", async () => {
  const ada = await here.owner();
  const botId = (await ada.post("/bots", { name: "Guide" })).body.id;
  await ada.post("/runs", { botId, message: "Hello" });
  await here.db.sql("update app.maintenance set last_run_at = now() - interval '1 hour'");
  const { code, stdout } = await botstead("status", "--json");
  const status = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(status.workers).toEqual([]);
  expect(status.issues.some(({ severity }: { severity: string }) => severity === "critical")).toBe(true);
  const queue = await jsonOf(here.db, "queue");
  expect(queue.runs).toContainEqual(expect.objectContaining({ model: "recall", waiting: expect.any(Number) }));
  expect((await botstead("queue")).stdout).toMatch(/^Jobs\n[\s\S]*\nAs of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n$/);
});

test("doctor checks logins, versions, clocks and invariants, and fails without a worker", async () => {
  await migrate({ adminUrl: here.db.adminUrl, key: here.db.key }); // a clone of the template has none of its privileges
  const { code, stdout, stderr } = await botstead("doctor", "--json");
  expect([code, stderr]).toEqual([1, ""]);
  expect(JSON.parse(stdout).checks).toContainEqual(
    // Findings: fsync and synchronous_commit are off (cluster.ts), and other files have replication slots.
    expect.objectContaining({ check: "invariants", found: expect.stringMatching(/^([2-9]|\d\d) findings$/) }),
  );
  const results = JSON.parse(stdout).checks.map(({ check, result }: Record<string, string>) => [check, result]);
  expect(Object.fromEntries(results)).toMatchObject({
    settings: "ok",
    logins: "ok",
    versions: "ok",
    clocks: "ok",
    worker: "failed",
    backups: "unknown",
    disk: "unknown",
  });
});

test.each([
  [0, 64e6, "failed", "0 MB free of 64 MB"],
  [20e6, 10e9, "failed", "20 MB free of 10 GB"],
  [500e6, 10e9, "warning", "500 MB free of 10 GB"],
  [5e9, 10e9, "ok", "5 GB free of 10 GB"],
])("doctor rates %d bytes free of %d as %s", (free, all, result, found) => {
  expect(checkSpace(free, all)).toMatchObject({ result, found });
});

test.each([
  ["53100", "Free space on the disk of the database."],
  ["53200", "Give the database more memory, or end sessions. Out of shared memory: docs/executors.md."],
  ["53300", "docs/runbooks/database.md, BotsteadConnectionsRunOut"],
  ["22023", "botstead audit lists changed settings."],
])("a check that fails with SQLSTATE %s names its remedy", (code, remedy) => {
  expect(remedyOf(Object.assign(new Error("failed"), { code }))).toBe(remedy);
  expect(remedyOf(new Error("failed", { cause: Object.assign(new Error("failed"), { code }) }))).toBe(remedy);
});

test("doctor says that no worker runs whenever status does", async () => {
  const worker = await testWorker(here.db);
  try {
    await eventually(async () => (await checked("worker")).result === "ok");
    await here.db.sql(`
      create function public.stay_old() returns trigger language plpgsql as $$
        begin new.last_run_at := now() - interval '1 hour'; return new; end $$;
      create trigger stay_old before update on app.maintenance for each row execute function public.stay_old();
      update app.maintenance set last_run_at = now();`);
    expect(await checked("worker")).toMatchObject({
      result: "failed",
      found: expect.stringMatching(/^[1-9]\d* alive/),
      remedy: expect.stringMatching(/^Its log says why/),
    });
  } finally {
    await worker.stop();
  }
});

test("doctor and status report an open fault of the audit log, until an operator accepts it", async () => {
  const check = () => checked("audit log");
  expect(await check()).not.toMatchObject({ result: "failed" });
  const nil = "00000000-0000-0000-0000-000000000000";
  await here.db.sql(
    "insert into app.audit_faults (organisation_id, fault, sequence, last_sequence, last_found_at) values ($1, 'tree', 0, 0, now() + interval '1 hour')",
    [nil],
  );
  expect(await check()).toMatchObject({ result: "failed", found: "1 open fault, no checkpoint is signed" });
  const status = JSON.parse((await botstead("status", "--json")).stdout);
  expect(status.issues).toContainEqual(expect.objectContaining({ category: "audit_log_fault", severity: "critical" }));
  const accept = (organisation: string, sequence: string) =>
    botstead(
      ...["audit", "accept-fault", "--organisation", organisation, "--fault", "tree", "--sequence", sequence],
      ...["--by", "Tess", "--reason", "A test", "--json"],
    );
  expect(await accept("mine", "0")).toMatchObject({ code: 1, stderr: expect.stringMatching(/^"mine" is no id: /) });
  expect(await accept(nil, "first")).toMatchObject({ code: 2, stderr: expect.stringContaining("such as 12") });
  const accepted = await accept(nil, "0");
  const fault = { organisation: nil, fault: "tree", sequence: 0, state: "accepted" };
  expect([accepted.code, JSON.parse(accepted.stdout)]).toEqual([0, fault]);
  expect(await accept(nil, "0")).toMatchObject({ code: 1, stderr: expect.stringContaining("it is accepted already") });
  const log = "select operator, action, reason from app.operator_commands where action = 'accept_audit_fault'";
  expect(await here.db.sql(log)).toEqual([{ operator: "Tess", action: "accept_audit_fault", reason: "A test" }]);
  expect(await check()).not.toMatchObject({ result: "failed" });
});

test("doctor reports the last backup of the operators' log, and warns when it is older than 26 hours", async () => {
  const backups = () => checked("backups");
  expect((await botstead("backup", "record", "pgbackrest")).code).toBe(0);
  expect(await backups()).toMatchObject({ result: "ok", found: expect.stringMatching(/^the last one ended 20/) });
  await here.db.sql(
    "update app.operator_commands set id = times.least_id(now() - interval '27 hours') where action = 'back_up'",
  );
  expect(await backups()).toMatchObject({ result: "warning", remedy: expect.stringContaining("BotsteadBackupOld") });
});

test("doctor reports an unreachable database as a failed check beside the others", async () => {
  const { code, stdout, stderr } = await command(["doctor", "--json"], {
    env: { ...env(), DATABASE_URL: unreachable },
  });
  expect([code, stderr]).toEqual([1, ""]);
  expect(JSON.parse(stdout).checks).toEqual([
    expect.objectContaining({ check: "settings", result: "ok" }),
    expect.objectContaining({
      check: "database",
      result: "failed",
      found: expect.stringContaining("can't be reached"),
    }),
    expect.objectContaining({ check: "disk", result: "unknown" }),
  ]);
});

test.each([["status"], ["audit"], ["audit", "verify"], ["migrate", "--check"]])(
  "%s %s returns 3 when the database cannot be reached",
  async (...line) => {
    const { code, stdout, stderr } = await command(line, { env: { ...env(), DATABASE_URL: unreachable } });
    expect([code, stdout]).toEqual([3, ""]);
    expect(stderr).toMatch(/^The database can't be reached: [^\n]*\n$/);
  },
);

test("doctor names each login that the database refuses", async () => {
  const wrong = { ...env(), MASTER_KEY: Buffer.alloc(32, 7).toString("base64") };
  const { code, stdout } = await command(["doctor"], { env: wrong });
  expect(code).toBe(1);
  expect(stdout).toMatch(/login server +failed +The database refused the login "server"/);
});
