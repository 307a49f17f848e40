/** Moves of an organisation between two clusters. (docs/moves.md) */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireSameMasterKey } from "../../src/moves/conditions.ts";
import { abortMove, type Options, resumeMove, type Step, startMove, steps } from "../../src/moves/move.ts";
import { type Json, type Reply, type TestApi, testApi, unlimitedBuckets } from "../support/api.ts";
import { findingsOnTestCluster } from "../support/audited.ts";
import { faultsOf, testCheckpoints, verifyLog } from "../support/checkpoints.ts";
import { makeKey, makeLastingExecutor, makeOrganisation } from "../support/database.ts";
import { startReceiver } from "../support/receiver.ts";
import { begun, lockWaits, terminateWaiting } from "../support/transactions.ts";
import { type TwoCells, twoCells } from "../support/two-cells.ts";
import { eventually, testWorker } from "../support/worker.ts";
import { memory, startLoad } from "./load.ts";

/** Endpoints may be on loopback. */
const allowed = { WEBHOOK_ALLOW_RANGES: "127.0.0.0/8,::1/128" };

let cells: TwoCells;
let from: TestApi;
let to: TestApi;

beforeAll(async () => {
  cells = await twoCells();
  [from, to] = (await Promise.all(
    [cells.source, cells.target].map((cell) => testApi(cell, allowed, unlimitedBuckets())),
  )) as [TestApi, TestApi];
  await Promise.all([cells.source, cells.target].map(makeLastingExecutor));
});
afterAll(async () => {
  await Promise.all([from?.stop(), to?.stop()]);
  await cells?.end();
});

const between = (source: TwoCells["source"], target: TwoCells["source"], organisation: string): Options => ({
  ...{ organisation, from: "one", to: "two", sourceUrl: source.adminUrl, targetUrl: target.adminUrl },
});

async function anOrganisation() {
  const organisation = await makeOrganisation(cells.source);
  const { text: key } = await makeKey(cells.source, organisation.id, organisation.ownerId);
  return { ...organisation, key, options: between(cells.source, cells.target, organisation.id) };
}

const rowsIn = async (cell: TwoCells["source"], id: string) => {
  const tables = await cell.sql<{ quoted: string; key: string }>(
    "select quoted, key from service.moved_tables where not is_kept",
  );
  const counts = tables.map(
    ({ quoted, key }) => `select '${quoted}' as name, count(*) from app.${quoted} where ${key} = $1`,
  );
  const found = await cell.sql<{ name: string; count: string }>(counts.join(" union all "), [id]);
  return found.filter(({ count }) => count !== "0").map(({ name }) => name);
};

async function expectNothingLeft(): Promise<void> {
  for (const cell of [cells.source, cells.target]) {
    expect(
      await cell.sql(`
        select polname as name from pg_policy where polname = 'botstead_move'
        union all select tgname from pg_trigger where tgname like 'botstead_move%'
        union all select pubname from pg_publication
        union all select slot_name from pg_replication_slots
        union all select rolname from pg_roles where rolname like 'botstead_move%'
        union all select subname from pg_subscription where subname like 'botstead_move%'`),
    ).toEqual([]);
  }
}

test("credentials, replays, secrets shown once and the event feed are the same at the target, and both cells stay clean and verified", async () => {
  const { id, key, options } = await anOrganisation();
  const bot = await from.call("POST", "/bots", { key, body: { name: "Ada" } });
  for (const value of ["Deep.", "Wide."]) await from.call("POST", "/memories", { key, body: memory(value) });
  const once = {
    key,
    body: { name: "shown once", scope: "read", expiresInDays: 5 },
    idempotencyKey: "shown-once-key-1",
  };
  const minted = await from.call("POST", "/keys", once);
  expect(minted.status).toBe(201);
  await from.call("POST", "/runs", { key, body: { botId: bot.body.id, message: "How deep is it?" } });
  await cells.source.sql(
    "insert into app.events (organisation_id, kind, data) select $1, 'key.created', '{}' from generate_series(1, 3)",
    [id],
  );
  await eventually(async () => (await from.call("GET", "/events", { key })).body.data.length === 3);
  const before = await from.call("GET", "/memories", { key });
  const feed = await from.call("GET", "/events?limit=2", { key });

  const during: unknown[] = [];
  const signers = [cells.source, cells.target].map((cell) => ({ cell, job: testCheckpoints(cell) }));
  const onStep = async (step: Step) => {
    for (const { cell, job } of signers) {
      expect([step, faultsOf(await job.run())]).toEqual([step, []]);
      expect([step, (await verifyLog(cell)).faults]).toEqual([step, []]);
    }
    if (step !== "switch") return;
    expect((await to.call("GET", "/memories", { key })).status).toBe(401); // arriving: not here yet
    expect(await rowsIn(cells.target, id)).toContain("memories");
    for (const cell of [cells.source, cells.target]) during.push(...(await cell.sql(findingsOnTestCluster)));
  };
  const { pauseMs } = await startMove({ ...options, onStep });
  process.stdout.write(`writes waited ${pauseMs?.toFixed(0)} ms\n`);

  expect(during).toEqual([]);
  expect((await to.call("GET", "/memories", { key })).body).toEqual(before.body);
  const replay = await to.call("POST", "/keys", once);
  expect([replay.status, replay.text]).toEqual([minted.status, minted.text]);
  expect((await to.call("GET", "/memories", { key: minted.body.key })).status).toBe(200);
  expect((await to.call("POST", "/memories", { key, body: memory("Cold.") })).status).toBe(201);
  await cells.target.sql("insert into app.events (organisation_id, kind, data) values ($1, 'key.revoked', '{}')", [id]);
  const kinds = (reply: Reply<Json>) => reply.body.data.map(({ event }: { event: string }) => event);
  const rest = () => to.call("GET", `/events?after=${feed.body.nextCursor}`, { key });
  await eventually(async () => kinds(await rest()).length === 2);
  expect(kinds(await rest())).toEqual(["key.created", "key.revoked"]);
  const [position] = await cells.target.sql<{ event_offset: string }>(
    "select event_offset from app.organisations where id = $1",
    [id],
  );
  expect(Number(position?.event_offset)).toBeGreaterThanOrEqual(0);

  expect((await from.call("GET", "/memories", { key })).status).toBe(503);
  const { text: unknown } = await makeKey(
    cells.target,
    id,
    (
      await cells.target.sql<{ id: string }>("select person_id as id from app.memberships where organisation_id = $1", [
        id,
      ])
    )[0]?.id ?? "",
  );
  expect((await from.call("GET", "/memories", { key: unknown })).status).toBe(401);
  expect(await rowsIn(cells.source, id)).toEqual([]);
  expect(await cells.target.sql("select * from audit.verify_chain($1)", [id])).toEqual([]);
  await expectNothingLeft();
  for (const cell of [cells.source, cells.target]) {
    expect(faultsOf(await testCheckpoints(cell).run())).toEqual([]);
    expect(await cell.sql(findingsOnTestCluster)).toEqual([]);
  }
});

test("a move that is aborted before its switch leaves nothing at the target, and can be made again", async () => {
  const { id, key, options } = await anOrganisation();
  for (const wanted of steps.slice(1, steps.indexOf("switch") + 1)) {
    const onStep = (step: Step) => {
      if (step === wanted) throw new Error("killed");
    };
    await expect(startMove({ ...options, onStep })).rejects.toThrow("killed");
    const noted: string[] = [];
    const noting = (phase: string) => ({ ...options, note: async () => void noted.push(phase) });
    await expect(startMove(noting("start"))).rejects.toThrow("A move of this organisation is under way.");
    await abortMove(noting("abort"));
    await expect(abortMove(noting("abort again"))).rejects.toThrow("No move of this organisation is under way.");
    await expect(resumeMove(noting("resume"))).rejects.toThrow("No move of this organisation is under way.");
    expect(noted).toEqual(["abort"]);
    expect((await from.call("POST", "/memories", { key, body: memory(wanted) })).status).toBe(201);
    expect([
      ...(await rowsIn(cells.target, id)),
      ...(await cells.target.sql("select from app.audit_log where organisation_id = $1", [id])),
    ]).toEqual([]);
    await expectNothingLeft();
  }
  await expect(abortMove(options)).rejects.toThrow("No move of this organisation is under way.");
  await startMove(options);
  expect((await to.call("GET", "/memories", { key })).body.data).toHaveLength(steps.indexOf("switch"));
});

/** A transaction that reads a table, for which the drop of its policy waits. */
async function readingMemories(cell: TwoCells["source"]) {
  const reader = await begun(cell);
  await reader.query("select from app.memories limit 1");
  return reader;
}

test("a move that is killed while it removes its policies is ended by --resume or --abort, and leaves nothing", async () => {
  const { id, options } = await anOrganisation();
  const killedAtReveal = async (move: typeof startMove, last: Step, cell: TwoCells["source"]) => {
    const moving = move({
      ...options,
      onStep: (step) => (step === last ? Promise.reject(new Error("killed")) : undefined),
    });
    await expect(moving).rejects.toThrow("killed");
    const reader = await readingMemories(cell);
    const ending = (last === "switch" ? abortMove : resumeMove)(options);
    await Promise.all([expect(ending).rejects.toThrow(), terminateWaiting(cell, "botstead move")]);
    await reader.query("rollback");
  };
  for (const cell of [cells.target, cells.source]) {
    await killedAtReveal(startMove, "switch", cell);
    await abortMove(options);
    await expectNothingLeft();
  }
  await killedAtReveal(startMove, "end", cells.source);
  await resumeMove(options);
  await expectNothingLeft();
  expect(await rowsIn(cells.source, id)).toEqual([]);
});

test("a move that begins while another one ends keeps all policies that hide its copy", async () => {
  const [ending, beginning] = [await anOrganisation(), await anOrganisation()];
  const policies = async () => (await cells.source.sql("select from pg_policy where polname = 'botstead_move'")).length;
  let end = async () => {};
  const first = startMove({
    ...ending.options,
    async onStep(step) {
      if (step !== "end") return;
      const reader = await readingMemories(cells.source);
      end = async () => void (await reader.query("rollback"));
    },
  });
  await eventually(async () => (await lockWaits(cells.source, "application_name = 'botstead move'")) > 0);
  const all = await cells.source.sql("select from service.moved_tables");
  expect(await policies()).toBeLessThan(all.length);
  await startMove({
    ...beginning.options,
    async onStep(step) {
      if (step !== "publish") return;
      await end();
      await first;
      expect(await policies()).toBe(all.length);
    },
  });
  await expectNothingLeft();
});

test("the target has statistics of the copied rows before the switch", async () => {
  const { id, options } = await anOrganisation();
  await cells.source.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     select $1, 'organisation', 'note', 'Harbour', repeat('x', 1000), 'import', 'test' from generate_series(1, 1500)`,
    [id],
  );
  const known = "select from pg_class where oid = 'app.memories'::regclass and reltuples >= 1500";
  const seen: [Step, number][] = [];
  const onStep = async (step: Step) => {
    if (step === "copied" || step === "guard") seen.push([step, (await cells.target.sql(known)).length]);
  };
  await startMove({ ...options, onStep });
  expect(seen).toEqual([
    ["copied", 0],
    ["guard", 1],
  ]);
});

test("a call that has locked the row of the organisation before the switch ends first, and the move follows", async () => {
  const { id, key, options } = await anOrganisation();
  const bot = (await from.call("POST", "/bots", { key, body: { name: "Ada" } })).body.id as string;
  const call = await begun(cells.source);
  let written: Promise<unknown> = Promise.resolve();
  const onStep = async (step: Step) => {
    if (step !== "switch") return;
    await call.query("select from app.organisations where id = $1 for update", [id]);
    written = (async () => {
      await eventually(async () => (await lockWaits(cells.source, "application_name = 'botstead move'")) === 1); // the move has the lock, and waits for the row
      await call.query("update app.bots set name = 'Written last' where id = $1", [bot]);
      await call.query("commit");
    })();
  };
  await startMove({ ...options, onStep });
  await written;
  expect((await to.call("GET", `/bots/${bot}`, { key })).body.name).toBe("Written last");
});

test("under writes, batches, runs, deliveries and readers of the feed, no call fails, and nothing is lost or doubled", async () => {
  const { id, key, options } = await anOrganisation();
  const receiver = await startReceiver();
  const folder = mkdtempSync(join(tmpdir(), "botstead-move-"));
  writeFileSync(join(folder, "ca.pem"), receiver.ca);
  const settings = {
    DATA_DIR: folder,
    ...allowed,
    WEBHOOK_CA_FILE: join(folder, "ca.pem"),
  };
  const workers = await Promise.all([cells.source, cells.target].map((cell) => testWorker(cell, settings)));
  const bot = (await from.call("POST", "/bots", { key, body: { name: "Ada" } })).body.id as string;
  const hooked = await from.call("POST", "/webhooks", {
    ...{ key, body: { url: `${receiver.url}/hook`, events: ["run.finished"] } },
  });
  expect(hooked.status).toBe(201);

  const load = startLoad([from, to], key, bot);
  const { acknowledged, runs, read, readFeed } = load;
  await eventually(async () => acknowledged.length > 50 && receiver.received.length > 0);
  const { pauseMs } = await startMove(options);
  const atSwitch = acknowledged.length;
  await eventually(async () => acknowledged.length > atSwitch + 50);
  const longestMs = await load.end();
  process.stdout.write(
    `writes waited ${pauseMs?.toFixed(0)} ms; the slowest call with its retries took ${longestMs.toFixed(0)} ms\n`,
  );

  const stored = await cells.target.sql<{ value: string }>(
    "select value from app.memories where organisation_id = $1 and provenance = 'member'",
    [id],
  );
  expect(stored.map(({ value }) => value).toSorted()).toEqual(acknowledged.toSorted());
  const states = () =>
    cells.target.sql<{ id: string }>("select id from app.runs where organisation_id = $1 and state = 'completed'", [
      id,
    ]);
  await eventually(async () => (await states()).length === runs.length, 60_000);
  const delivered = () => new Set(receiver.received.map(({ body }) => JSON.parse(body).data.runId));
  await eventually(async () => runs.every((run) => delivered().has(run)), 60_000);
  await eventually(async () => {
    await readFeed();
    return read.length >= runs.length;
  });
  expect(read.toSorted()).toEqual(runs.toSorted()); // each once
  expect(await cells.target.sql("select * from audit.verify_chain($1)", [id])).toEqual([]);
  await Promise.all(workers.map((worker) => worker.stop()));
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a move that cannot be made is refused before it changes anything", async () => {
  const { id, ownerId, email, options } = await anOrganisation();
  const nobody = "01a1f964-3b2c-7000-8000-000000000000";
  await expect(startMove({ ...options, organisation: nobody })).rejects.toThrow(
    "The source has no organisation with this id.",
  );
  const there = await makeOrganisation(cells.target);
  await expect(startMove(between(cells.target, cells.source, there.id))).rejects.toThrow("wal_level = logical");
  await expect(startMove({ ...options, targetUrl: options.sourceUrl })).rejects.toThrow(
    "Source and target are the same database.",
  );
  await cells.target.sql("insert into app.people (email) values (upper($1))", [email]);
  await expect(startMove(options)).rejects.toThrow("A person needs one id in all cells.");
  await cells.target.sql("update app.people set id = $2 where lower(email) = $1", [email, ownerId]);
  await cells.target.sql("insert into app.audit_chain_heads (organisation_id, hash) values ($1, sha256('earlier'))", [
    id,
  ]);
  await expect(startMove(options)).rejects.toThrow("an earlier stay");
  await cells.target.sql(
    "insert into app.definition_builds (version, digest, server_version, built_by, compared_with_itself) select version, 'another', server_version, built_by, false from app.definition_builds order by id desc limit 1",
  );
  await expect(startMove(options)).rejects.toThrow("different versions");
  await cells.target.sql("delete from app.definition_builds where digest = 'another'");
  const wrong = new URL(options.targetUrl);
  wrong.password = "another";
  await expect(requireSameMasterKey(wrong.href)).rejects.toThrow("another master key");
  await expectNothingLeft();
  expect(await cells.source.sql("select from app.organisation_moves where organisation_id = $1", [id])).toEqual([]);
});
