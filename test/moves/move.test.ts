/** Moves of an organisation between two clusters. (docs/moves.md) */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireSameMasterKey } from "../../src/cells/moves/conditions.ts";
import { type Step, startMove } from "../../src/cells/moves/move.ts";
import type { Json, Reply } from "../support/api.ts";
import { findingsOnTestCluster } from "../support/audited.ts";
import { faultsOf, testCheckpoints, verifyLog } from "../support/checkpoints.ts";
import { makeKey, makeOrganisation, setLimits } from "../support/database.ts";
import { counted } from "../support/endpoint-counts.ts";
import { startReceiver } from "../support/receiver.ts";
import { begun, lockWaits } from "../support/transactions.ts";
import { eventually, testWorker } from "../support/worker.ts";
import { allowed, between, cellsOfFile, tablesWithRows } from "./cells-of-file.ts";
import { memory, startLoad } from "./load.ts";

const here = cellsOfFile();

test("credentials, replays, secrets shown once and the event feed are the same at the target, and both cells stay clean and verified", async () => {
  const { id, key, options } = await here.organisation();
  const bot = await here.from.call("POST", "/bots", { key, body: { name: "Ada" } });
  for (const value of ["Deep.", "Wide."]) await here.from.call("POST", "/memories", { key, body: memory(value) });
  const once = {
    key,
    body: { name: "shown once", scope: "read", expiresInDays: 5 },
    idempotencyKey: "shown-once-key-1",
  };
  const minted = await here.from.call("POST", "/keys", once);
  expect(minted.status).toBe(201);
  await here.from.call("POST", "/runs", { key, body: { botId: bot.body.id, message: "How deep is it?" } });
  await here.source.sql(
    "insert into app.events (organisation_id, kind, data) select $1, 'key.created', '{}' from generate_series(1, 3)",
    [id],
  );
  await eventually(async () => (await here.from.call("GET", "/events", { key })).body.data.length === 3);
  const before = await here.from.call("GET", "/memories", { key });
  const feed = await here.from.call("GET", "/events?limit=2", { key });

  const during: unknown[] = [];
  const signers = here.both.map((cell) => ({ cell, job: testCheckpoints(cell, { signer: here.signerOf(cell) }) }));
  const onStep = async (step: Step) => {
    for (const { cell, job } of signers) {
      expect([step, faultsOf(await job.run())]).toEqual([step, []]);
      expect([step, (await verifyLog(cell, here.signerOf(cell))).faults]).toEqual([step, []]);
    }
    if (step !== "switch") return;
    expect((await here.to.call("GET", "/memories", { key })).status).toBe(401); // arriving: not here yet
    expect(await tablesWithRows(here.target, id)).toContain("memories");
    for (const cell of here.both) during.push(...(await cell.sql(findingsOnTestCluster)));
  };
  const { pauseMs } = await startMove({ ...options, onStep });
  process.stdout.write(`writes waited ${pauseMs?.toFixed(0)} ms\n`);

  expect(during).toEqual([]);
  expect((await here.to.call("GET", "/memories", { key })).body).toEqual(before.body);
  const replay = await here.to.call("POST", "/keys", once);
  expect([replay.status, replay.text]).toEqual([minted.status, minted.text]);
  expect((await here.to.call("GET", "/memories", { key: minted.body.key })).status).toBe(200);
  expect((await here.to.call("POST", "/memories", { key, body: memory("Cold.") })).status).toBe(201);
  await here.target.sql("insert into app.events (organisation_id, kind, data) values ($1, 'key.revoked', '{}')", [id]);
  const kinds = (reply: Reply<Json>) => reply.body.data.map(({ event }: { event: string }) => event);
  const rest = () => here.to.call("GET", `/events?after=${feed.body.position}`, { key });
  await eventually(async () => kinds(await rest()).length === 2);
  expect(kinds(await rest())).toEqual(["key.created", "key.revoked"]);

  expect((await here.from.call("GET", "/memories", { key })).status).toBe(503);
  const { text: unknown } = await makeKey(
    here.target,
    id,
    (
      await here.target.sql<{ id: string }>("select person_id as id from app.memberships where organisation_id = $1", [
        id,
      ])
    )[0]?.id ?? "",
  );
  expect((await here.from.call("GET", "/memories", { key: unknown })).status).toBe(401);
  expect(await tablesWithRows(here.source, id)).toEqual([]);
  expect(await here.target.sql("select * from audit.verify_chain($1)", [id])).toEqual([]);
  await here.expectNothingLeft();
  for (const cell of here.both) {
    expect(faultsOf(await testCheckpoints(cell, { signer: here.signerOf(cell) }).run())).toEqual([]);
    expect(await cell.sql(findingsOnTestCluster)).toEqual([]);
  }
});

test("the target has statistics of the copied rows before the switch", async () => {
  const { id, options } = await here.organisation();
  await here.source.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     select $1, 'organisation', 'note', 'Harbour', repeat('x', 1000), 'import', 'test' from generate_series(1, 1500)`,
    [id],
  );
  const known = "select from pg_class where oid = 'app.memories'::regclass and reltuples >= 1500";
  const seen: [Step, number][] = [];
  const onStep = async (step: Step) => {
    if (step === "copied" || step === "guard") seen.push([step, (await here.target.sql(known)).length]);
  };
  await startMove({ ...options, onStep });
  expect(seen).toEqual([
    ["copied", 0],
    ["guard", 1],
  ]);
});

test("a call that has locked the row of the organisation before the switch ends first, and the move follows", async () => {
  const { id, key, options } = await here.organisation();
  const bot = (await here.from.call("POST", "/bots", { key, body: { name: "Ada" } })).body.id as string;
  const call = await begun(here.source);
  let written: Promise<unknown> = Promise.resolve();
  const onStep = async (step: Step) => {
    if (step !== "switch") return;
    await call.query("select from app.organisations where id = $1 for update", [id]);
    written = (async () => {
      await eventually(async () => (await lockWaits(here.source, "application_name = 'botstead move'")) === 1); // the move has the lock, and waits for the row
      await call.query("update app.bots set name = 'Written last' where id = $1", [bot]);
      await call.query("commit");
    })();
  };
  await startMove({ ...options, onStep });
  await written;
  expect((await here.to.call("GET", `/bots/${bot}`, { key })).body.name).toBe("Written last");
});

test("under writes, batches, runs, deliveries and readers of the feed, no call fails, and nothing is lost or doubled", async () => {
  const { id, key, options } = await here.organisation();
  await setLimits(here.source, id, { runStartsPerHour: 100_000 }); // a slow machine starts more runs
  const receiver = await startReceiver();
  const folder = mkdtempSync(join(tmpdir(), "botstead-move-"));
  writeFileSync(join(folder, "ca.pem"), receiver.ca);
  const settings = {
    DATA_DIR: folder,
    ...allowed,
    WEBHOOK_CA_FILE: join(folder, "ca.pem"),
  };
  const workers = await Promise.all(
    here.both.map((cell, place) => testWorker(cell, { ...settings, AUDIT_ORIGIN: `cell${place}.example/audit` })),
  );
  const bot = (await here.from.call("POST", "/bots", { key, body: { name: "Ada" } })).body.id as string;
  const hooked = await here.from.call("POST", "/webhooks", {
    ...{ key, body: { url: `${receiver.url}/hook`, events: ["run.finished"] } },
  });
  expect(hooked.status).toBe(201);

  const load = startLoad([here.from, here.to], key, bot);
  const { acknowledged, runs, read, readFeed } = load;
  await eventually(async () => acknowledged.length > 50 && receiver.received.length > 0);
  const { pauseMs } = await startMove(options);
  const atSwitch = acknowledged.length;
  await eventually(async () => acknowledged.length > atSwitch + 50);
  const longestMs = await load.end();
  process.stdout.write(
    `writes waited ${pauseMs?.toFixed(0)} ms; the slowest call with its retries took ${longestMs.toFixed(0)} ms\n`,
  );

  const stored = await here.target.sql<{ value: string }>(
    "select value from app.memories where organisation_id = $1 and provenance = 'member'",
    [id],
  );
  expect(stored.map(({ value }) => value).toSorted()).toEqual(acknowledged.toSorted());
  const states = () =>
    here.target.sql<{ id: string }>("select id from app.runs where organisation_id = $1 and state = 'completed'", [id]);
  await eventually(async () => (await states()).length === runs.length);
  const delivered = () => new Set(receiver.received.map(({ body }) => JSON.parse(body).data.runId));
  await eventually(async () => runs.every((run) => delivered().has(run)));
  await eventually(async () => {
    await readFeed();
    return read.length >= runs.length;
  });
  expect(read.toSorted()).toEqual(runs.toSorted()); // each once
  expect(await here.target.sql("select * from audit.verify_chain($1)", [id])).toEqual([]);
  await Promise.all(workers.map((worker) => worker.stop()));
  const [kept, expected] = await counted(here.target.sql, `organisation_id = '${id}'`);
  expect(kept).toEqual(expected);
  expect(kept).not.toEqual([]);
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a move that cannot be made is refused before it changes anything", async () => {
  const { id, ownerId, email, options } = await here.organisation();
  const nobody = "01a1f964-3b2c-7000-8000-000000000000";
  await expect(startMove({ ...options, organisation: nobody })).rejects.toThrow(
    "The source has no organisation with this id.",
  );
  const there = await makeOrganisation(here.target);
  await expect(startMove(between(here.target, here.source, there.id))).rejects.toThrow("wal_level = logical");
  await expect(startMove({ ...options, targetUrl: options.sourceUrl })).rejects.toThrow(
    "Source and target are the same database.",
  );
  await here.target.sql("insert into app.people (email) values (upper($1))", [email]);
  await expect(startMove(options)).rejects.toThrow("A person needs one id in all cells.");
  await here.target.sql("update app.people set id = $2 where lower(email) = $1", [email, ownerId]);
  await here.target.sql("insert into app.audit_chain_heads (organisation_id, hash) values ($1, sha256('earlier'))", [
    id,
  ]);
  await expect(startMove(options)).rejects.toThrow("an earlier stay");
  await here.target.sql(
    "insert into app.definition_builds (version, digest, server_version, built_by, compared_with_itself) select version, 'another', server_version, built_by, false from app.definition_builds order by id desc limit 1",
  );
  await expect(startMove(options)).rejects.toThrow("different versions");
  await here.target.sql("delete from app.definition_builds where digest = 'another'");
  const wrong = new URL(options.targetUrl);
  wrong.password = "another";
  await expect(requireSameMasterKey(wrong.href)).rejects.toThrow("another master key");
  await here.expectNothingLeft();
  expect(await here.source.sql("select from app.organisation_moves where organisation_id = $1", [id])).toEqual([]);
});
