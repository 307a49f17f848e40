/** The commands for people on call (docs/commands.md). */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeDeliveries } from "../support/events.ts";
import { cli, commandOn, jsonOf, killPrograms } from "../support/program.ts";
import { quietly } from "../support/quietly.ts";
import { anEndpointWithMissedEvents } from "../support/resources.ts";

const here = apiOfFile();
afterAll(killPrograms);

const env = () => ({ DATABASE_URL: here.db.adminUrl, MASTER_KEY: here.db.masterKey });
const botstead = (...args: string[]) => commandOn(here.db, args);

const json = (...args: string[]) => jsonOf(here.db, ...args);

async function aRun(ada: Member): Promise<{ id: string; requestId: string }> {
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
  expect(await logged("redeliver")).toMatchObject([{ operator: userInfo().username, reason: null }]);
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
    minted_by: userInfo().username,
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
  expect(await logged("revoke_key")).toMatchObject([{ operator: userInfo().username, reason: null }]);
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
  // Without triggers, as an address from before their rule.
  await here.db.sql(
    `${quietly}
     update app.people set email = $2 from quiet where id = $1`,
    [ada.organisation.ownerId, "\u001b[31mred@example.test"],
  );
  expect((await botstead("run", "show", run.id)).stdout).not.toContain("\u001b");
});
