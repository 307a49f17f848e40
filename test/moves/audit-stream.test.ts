/** The stream of an audit log continues at the target of a move. (docs/moves.md) */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Step, startMove } from "../../src/cells/moves/move.ts";
import { partsOf, sequencesOf, signedHeaders, startExample, untilSent } from "../support/audit-streams.ts";
import { testCheckpoints, writeEntries } from "../support/checkpoints.ts";
import { makeOrganisation } from "../support/database.ts";
import { startHooks } from "../support/hooks.ts";
import { testWith } from "../support/machine.ts";
import type { Received } from "../support/receiver.ts";
import { eventually, moveClock, testWorker } from "../support/worker.ts";
import { allowed, cellsOfFile, targetSigner } from "./cells-of-file.ts";

const here = cellsOfFile();

testWith("python3")(
  "the receiver gets every entry, and of a part under way at the switch it stores none twice",
  async () => {
    const { id, key, options } = await here.organisation();
    const { receiver, hook: addHook, close } = await startHooks();
    const folder = mkdtempSync(join(tmpdir(), "botstead-move-"));
    writeFileSync(join(folder, "ca.pem"), receiver.ca);
    const settings = { DATA_DIR: folder, ...allowed, WEBHOOK_CA_FILE: join(folder, "ca.pem") };
    const hook = addHook();
    const { secret } = (await here.from.call("POST", "/audit/stream", { key, body: { url: hook.url } })).body;
    const lines: string[] = [];
    let example = await startExample(id, secret);
    hook.answer = async (_request, response) => {
      const { status, line } = await example.pass(hook.posts().at(-1) as Received);
      lines.push(line);
      response.writeHead(status).end();
    };

    const before = await testWorker(here.source, settings, []);
    await writeEntries(here.source, id, 150);
    await testCheckpoints(here.source).run();
    await untilSent({ db: here.source }, id);
    await before.stop();
    const stream = async (api: typeof here.from) => (await api.call("GET", "/audit/stream", { key })).body;
    const { afterEntryId, afterSequence } = await stream(here.from);
    const sent = hook.posts().length;

    // A worker sends a part during the switch. The receiver stores it; the worker learns that later.
    const worker = here.source.poolAs("worker", 1);
    let lease = "";
    const onStep = async (step: Step) => {
      if (step !== "switch" || lease) return;
      await writeEntries(here.source, id, 20);
      await testCheckpoints(here.source).run();
      const { rows } = await worker.query("select * from jobs.lease_audit_part($1)", [id]);
      const { lease_id, body } = rows[0];
      lease = lease_id;
      const { line } = await example.pass({ body, headers: signedHeaders(secret, body) });
      lines.push(line);
      await here.source.sql(
        "update app.audit_streams set lease_until = now() + interval '1 hour' where organisation_id = $1",
        [id],
      );
    };
    await startMove({ ...options, onStep });
    const recorded = await worker.query("select jobs.record_audit_part($1, $2, $3) as state", [
      ...[id, lease, JSON.stringify({ statusCode: 200 })],
    ]);
    expect(recorded.rows).toEqual([{ state: null }]);
    expect(await stream(here.to)).toMatchObject({ state: "active", afterEntryId, afterSequence, lastStatusCode: 200 });

    example.stop();
    example = await startExample(id, secret, example.folder, targetSigner.text);
    const after = await testWorker(here.target, settings, []);
    const checkpoint = () => testCheckpoints(here.target, { signer: targetSigner }).run();
    const jobs = () => here.target.sql("select from graphile_worker.jobs where task_identifier = 'stream_audit_log'");
    await writeEntries(here.target, id, 90);
    await checkpoint();
    await here.target.sql("select jobs.queue_audit_stream($1)", [id]);
    await eventually(async () => (await jobs()).length === 0);
    expect(hook.posts()).toHaveLength(sent); // the lease moved too
    await moveClock(here.target, "2 hours");
    await writeEntries(here.target, id, 10);
    await checkpoint();
    await untilSent({ db: here.target }, id);
    await after.stop();

    expect(lines.filter((line) => !/^accepted: \d+ entries up to \d+$/.test(line))).toEqual([]);
    const [last] = await here.target.sql<{ sequence: number }>(
      "select max(sequence)::int as sequence from app.audit_log where organisation_id = $1",
      [id],
    );
    const stored = lines.map((line) => Number(line.match(/\d+/)?.[0]));
    expect(stored.reduce((sum, count) => sum + count, 0)).toBe(last?.sequence);
    expect(sequencesOf(partsOf(hook)[sent])[0]).toBe(afterSequence + 1);
    expect((await stream(here.to)).afterSequence).toBe(last?.sequence);

    example.stop();
    await close();
    for (const each of [folder, example.folder]) rmSync(each, { recursive: true, force: true });
  },
);

test("a move is refused while the logs of both cells have one name, which receivers would take for a rewritten log", async () => {
  const { options } = await here.organisation();
  await testCheckpoints(here.source).run();
  const sign = async (signer?: typeof targetSigner) => {
    await makeOrganisation(here.target); // entries for a new checkpoint
    await testCheckpoints(here.target, signer && { signer }).run();
  };
  await sign();
  await expect(startMove(options)).rejects.toThrow(/have the name .+ Give the target another AUDIT_ORIGIN/);
  expect(await here.source.sql("select from app.organisation_moves where state = 'leaving'")).toEqual([]);
  await sign(targetSigner);
  await startMove(options);
});
