/** The commands for people on call (docs/commands.md). */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { migrate } from "../../src/database/migrate.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeDeliveries } from "../support/events.ts";
import { cli, command, commandOn, killPrograms } from "../support/program.ts";
import { anEndpointWithMissedEvents } from "../support/resources.ts";

const here = apiOfFile();
afterAll(killPrograms);

const env = () => ({ DATABASE_URL: here.db.adminUrl, MASTER_KEY: here.db.masterKey });
const botstead = (...args: string[]) => commandOn(here.db, args);

// biome-ignore lint/suspicious/noExplicitAny: the sections differ by command
async function json(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await botstead(...args, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

async function aRun(ada: Member): Promise<{ id: string; requestId: string }> {
  await here.db.sql("update app.executors set last_seen_at = now()"); // commands take longer than a heartbeat is good for
  const botId = (await ada.post("/bots", { name: "Guide" })).body.id;
  const started = await ada.post("/runs", { botId, message: "A secret question" });
  return { id: started.body.id, requestId: started.headers.get("x-request-id") ?? "" };
}

const logged = (action: string) =>
  here.db.sql("select operator, reason, arguments from operator.actions where action = $1 order by id desc limit 1", [
    action,
  ]);

test("request shows the stored response, the changes, the run and its events, and what only the log has", async () => {
  const ada = await here.owner();
  const run = await aRun(ada);
  const story = await json("request", run.requestId);
  expect(story.responses).toMatchObject([{ organisation_id: ada.organisation.id, status: 202 }]);
  expect(story.changes).toContainEqual(
    expect.objectContaining({ action: "created", resource: "run", resource_id: run.id }),
  );
  expect(story.runs).toMatchObject([{ id: run.id, state: "queued" }]);
  expect(story.unknown).toContainEqual(expect.stringContaining("the log of the API has every request"));
  const text = (await botstead("request", run.requestId)).stdout;
  expect(text).toMatch(/^Stored response\n {2}organisation id +[0-9a-f-]{36}\n/);
  expect(text).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(\d+ (s|min) ago\)/);
  expect(text).not.toContain("A secret question");
});

test("request of an unknown id fails, and names other places to look", async () => {
  const story = await json("request", "01a1f964-3b2c-7000-8000-000000000000");
  expect([story.responses, story.changes, story.runs, story.events]).toEqual([[], [], [], []]);
  expect(story.unknown[0]).toMatch(/^Whether this request arrived: /);
});

test("run show prints a run without its messages, and run cancel ends it and is logged", async () => {
  const ada = await here.owner();
  const run = await aRun(ada);
  expect((await json("run", "show", run.id)).run).toMatchObject([
    { id: run.id, state: "queued", person: ada.organisation.email },
  ]);
  expect((await json("run", run.id)).run).toMatchObject([{ id: run.id }]);
  const ended = await botstead("run", "cancel", run.id, "--by", "Olga", "--reason", "It loops");
  expect(ended).toMatchObject({ code: 0, stdout: "The run is cancelled.\n", stderr: "" });
  const story = await json("run", "show", run.id);
  expect(story.run[0].state).toBe("cancelled");
  expect(story.changes).toContainEqual(expect.objectContaining({ actor: "operator", by: "Olga", reason: "It loops" }));
  expect(await logged("cancel_run")).toEqual([
    { operator: "Olga", reason: "It loops", arguments: { commandLine: expect.stringMatching(/@.*, command line$/) } },
  ]);
  expect(await json("run", "cancel", run.id)).toEqual({ id: run.id, state: "cancelled" }); // it already is
});

test("delivery show prints the attempts, and delivery redeliver begins another round", async () => {
  const at = await anEndpointWithMissedEvents(here, "1 hour", 1);
  await makeDeliveries(here.db, { ...at, eventId: at.eventIds[0] ?? "" }, { ago: "1 hour", count: 1 });
  const [delivery] = await here.db.sql<{ id: string }>("select id from app.deliveries where endpoint_id = $1", [
    at.endpointId,
  ]);
  const id = delivery?.id ?? "";
  await here.db.sql(
    `insert into app.delivery_attempts (organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code)
     values ($1, $2, $3, 1, 'scheduled', now() - interval '1 hour', 12, 500)`,
    [at.organisationId, id, at.endpointId],
  );
  const story = await json("delivery", id);
  expect(story.delivery).toMatchObject([{ id, state: "failed", host: "receiver.example" }]);
  expect(story.attempts).toMatchObject([{ number: 1, status_code: 500, duration_ms: 12 }]);
  expect(await json("delivery", "show", id)).toMatchObject({ delivery: story.delivery, attempts: story.attempts });
  expect(await json("delivery", "redeliver", id)).toEqual({ id, state: "pending" });
  expect(await logged("redeliver")).toMatchObject([{ operator: "Tess", reason: "A test" }]);
  expect(await botstead("delivery", "redeliver", id)).toMatchObject({
    code: 1,
    stdout: "",
    stderr: "Only a failed delivery of an active endpoint can be sent again.\n",
  });
});

test("key list names who minted each key, and key revoke ends one by its prefix", async () => {
  const ada = await here.owner();
  const { id, name, email } = ada.organisation as typeof ada.organisation & { name?: string };
  expect(name === undefined || typeof name === "string").toBe(true);
  const minted = await botstead("key", "mint", "--organisation", id, "--person", email, "--name", "Mine");
  const key = minted.stdout.trim();
  const { keys } = await json("key", "list", "--organisation", id);
  expect(keys.find((each: { name: string }) => each.name === "Mine")).toMatchObject({
    prefix: key.slice(0, 12),
    minted_by: "Tess",
    person: email,
  });
  expect((await here.api.call("GET", "/me", { key })).status).toBe(200);
  const revoked = await botstead("key", "revoke", key.slice(0, 12));
  expect(revoked.stdout).toMatch(/^The key [0-9a-f-]{36} is revoked\.\n$/);
  expect(await json("key", "revoke", key.slice(0, 12))).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    state: "revoked",
  });
  expect((await here.api.call("GET", "/me", { key })).status).toBe(401);
  expect(await logged("revoke_key")).toMatchObject([{ operator: "Tess", reason: "A test" }]);
});

test("status and queue show workers, issues and what waits; status fails while an issue is critical", async () => {
  const ada = await here.owner();
  await aRun(ada);
  await here.db.sql("update app.maintenance set last_run_at = now() - interval '1 hour'");
  const { code, stdout } = await botstead("status", "--json");
  const status = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(status.workers).toEqual([]);
  expect(status.issues.some(({ severity }: { severity: string }) => severity === "critical")).toBe(true);
  const queue = await json("queue");
  expect(queue.runs).toContainEqual(expect.objectContaining({ model: "recall", waiting: expect.any(Number) }));
  expect((await botstead("queue")).stdout).toMatch(/^Jobs\n[\s\S]*\nAs of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n$/);
});

test("doctor checks logins, versions, clocks and invariants, and fails without a worker", async () => {
  await migrate({ adminUrl: here.db.adminUrl, key: here.db.key }); // a clone of the template has none of its privileges
  const { code, stdout, stderr } = await botstead("doctor", "--json");
  expect([code, stderr]).toEqual([1, ""]);
  const findings = await here.db.sql("select from audit.findings"); // those of the server's settings, in this cluster
  expect(JSON.parse(stdout).checks).toContainEqual(
    expect.objectContaining({
      check: "invariants",
      found: findings.length === 0 ? "all hold" : expect.stringMatching(`^${findings.length} findings?$`),
    }),
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

test("doctor and status report an open fault of the audit log, until an operator accepts it", async () => {
  const check = async () => {
    const { stdout } = await botstead("doctor", "--json");
    return JSON.parse(stdout).checks.find(({ check }: { check: string }) => check === "audit log");
  };
  expect(await check()).not.toMatchObject({ result: "failed" });
  const nil = "00000000-0000-0000-0000-000000000000";
  await here.db.sql(
    "insert into app.audit_faults (organisation_id, fault, sequence, last_sequence, last_found_at) values ($1, 'tree', 0, 0, now() + interval '1 hour')",
    [nil],
  );
  expect(await check()).toMatchObject({ result: "failed", found: "1 open fault, no checkpoint is signed" });
  const status = JSON.parse((await botstead("status", "--json")).stdout);
  expect(status.issues).toContainEqual(expect.objectContaining({ category: "audit_log_fault", severity: "critical" }));
  await botstead(
    "audit",
    "accept-fault",
    "--organisation",
    nil,
    "--fault",
    "tree",
    "--sequence",
    "0",
    "--by",
    "Tess",
    "--reason",
    "A test",
  );
  expect(await check()).not.toMatchObject({ result: "failed" });
});

test("doctor reports the last backup of the operators' log, and warns when it is older than 26 hours", async () => {
  const backups = async () => {
    const { stdout } = await botstead("doctor", "--json");
    return JSON.parse(stdout).checks.find(({ check }: { check: string }) => check === "backups");
  };
  expect((await botstead("backup", "record", "pgbackrest")).code).toBe(0);
  expect(await backups()).toMatchObject({ result: "ok", found: expect.stringMatching(/^the last one ended 20/) });
  await here.db.sql(
    "update app.operator_commands set id = times.least_id(now() - interval '27 hours') where action = 'back_up'",
  );
  expect(await backups()).toMatchObject({ result: "warning", remedy: expect.stringContaining("BotsteadBackupOld") });
});

test("doctor reports an unreachable database as a failed check beside the others", async () => {
  const away = { ...env(), DATABASE_URL: "postgres://postgres:x@127.0.0.1:1/botstead" };
  const { code, stdout, stderr } = await command(["doctor", "--json"], { env: away });
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
    const away = { ...env(), DATABASE_URL: "postgres://postgres:x@127.0.0.1:1/botstead" };
    const { code, stdout, stderr } = await command(line, { env: away });
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

test.each([
  ["run", "show"],
  ["run", "cancel"],
  ["delivery", "show"],
  ["delivery", "redeliver"],
  ["key", "revoke"],
])("%s %s of an unknown id fails with a sentence", async (...line) => {
  const { code, stdout, stderr } = await botstead(...line, randomUUID());
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^No (run|delivery|key) has that id[^\n]*\.?[^\n]*\n$/);
});

test.each([["request"], ["run", "show"], ["delivery", "show"]])(
  "%s of a malformed id fails with a sentence",
  async (...line) => {
    const { code, stderr } = await botstead(...line, "'; drop");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^"'; drop" is no id: an id has 36 characters, such as [0-9a-f-]{36}\.\n$/);
  },
);

test("the login of the command line changes nothing without a name and a reason", async () => {
  const ada = await here.owner();
  const run = await aRun(ada);
  const direct = here.db.poolAs("cli", 1);
  for (const statement of [
    "select operator.mint_platform_key('x', 1, 'bsp_00000000', sha256('x'))",
    `select operator.cancel_run('${ada.organisation.id}', '${run.id}', 'a reason')`,
  ]) {
    await expect(direct.query(statement)).rejects.toMatchObject({ code: "OA001", message: "invalid_request" });
  }
});

test.each([
  ["status", "--json"],
  ["doctor"],
  ["queue"],
  ["request", randomUUID()],
  ["audit", "--full"],
  ["audit", "export"],
  ["operator", "list"],
  ["database-url"],
  ["--help"],
])("%s %s into a closed pipe has its exit code and prints no error", (...line) => {
  const ran = (reader: string) =>
    spawnSync("sh", ["-c", `{ "$0" "$@"; echo "code $?" >&2; } | ${reader}`, process.execPath, cli, ...line], {
      env: { PATH: process.env.PATH ?? "", ...env() },
      encoding: "utf8",
    }).stderr;
  const open = ran("cat > /dev/null");
  expect(open).toMatch(/^code [01]\n$/);
  expect(ran("true")).toBe(open);
});

test("stored text cannot send control characters to the terminal", async () => {
  const ada = await here.owner();
  const run = await aRun(ada);
  await here.db.sql("update app.people set display_name = display_name, email = $2 where id = $1", [
    ada.organisation.ownerId,
    "\u001b[31mred@example.test",
  ]);
  expect((await botstead("run", "show", run.id)).stdout).not.toContain("\u001b");
});
