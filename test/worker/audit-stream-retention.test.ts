/** Entries that retention drops before the stream has sent them. (docs/specification/audit-log.md#stream) */
import { hash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { partsOf, sequencesOf, startExample, untilSent } from "../support/audit-streams.ts";
import { faultsOf, testCheckpoints, writeOldWeek } from "../support/checkpoints.ts";
import { testWith } from "../support/machine.ts";
import { customer, openPostOffice, type PostOffice, status } from "../support/post-office.ts";
import type { Received } from "../support/receiver.ts";
import { eventually, testWorker } from "../support/worker.ts";

let office: PostOffice;
let worker: Awaited<ReturnType<typeof testWorker>> | undefined;

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
});
afterAll(async () => {
  await worker?.stop();
  await office.close();
});

testWith("python3")(
  "entries that were dropped before they were sent are named in the next part, which the receiver of the examples accepts",
  async () => {
    const who = await customer(office);
    const organisation = who.organisation.id;
    await writeOldWeek(office.db, organisation);
    await office.db.sql(
      "update app.audit_chain_heads set sequence = 0, entry_id = null, hash = sha256(convert_to(organisation_id::text, 'UTF8')) where organisation_id <> $1",
      [organisation],
    ); // of the service, whose entries are gone too
    const pool = office.db.poolAs("worker", 1);
    const drop = async () => (await pool.query("select jobs.drop_partition() as name")).rows[0].name;
    while (await drop()); // weeks of other tables
    const hook = office.hook(status(500));
    const { secret } = (await who.ask("POST", "/audit/stream", { url: hook.url })).body;
    const checkpoint = async () => expect(faultsOf(await testCheckpoints(office.db).run())).toEqual([]);
    await checkpoint();
    worker = await testWorker(office.db, office.settings, []);
    await eventually(async () => hook.posts().length === 1);
    expect(sequencesOf(partsOf(hook)[0])).toEqual([1, 2, 3, 4, 5, 6]);
    await worker.stop(); // its maintenance would drop the week at any time
    await pool.query("select jobs.record_truncations()");
    await checkpoint();
    expect(await drop()).toBe("audit_log_20200106");

    // It has received nothing, and knows that the log begins with 1.
    const folder = mkdtempSync(join(tmpdir(), "botstead-audit-receiver-"));
    const head = { sequence: 0, hash: hash("sha256", organisation), part: "", key: "", size: 0, root: "" };
    writeFileSync(join(folder, "log.jsonl"), `${JSON.stringify({ entries: [], head })}\n`);
    const receiver = await startExample(organisation, secret, folder);
    const [before] = hook.posts();
    // Its response to the first part was lost.
    const other = await startExample(organisation, secret);
    expect((await other.pass(before as Received)).line).toBe("accepted: 6 entries up to 6");
    const lines: string[] = [];
    const linesOfOther: string[] = [];
    hook.answer = async (_request, response) => {
      const post = hook.posts().at(-1);
      const passed = post && (await receiver.pass(post));
      lines.push(passed?.line ?? "");
      linesOfOther.push(post ? (await other.pass(post)).line : "");
      response.writeHead(passed?.status ?? 500).end();
    };
    worker = await testWorker(office.db, office.settings, []);
    await office.db.sql("update app.audit_streams set next_attempt_at = now()");
    await untilSent(office, organisation);
    for (const each of [receiver, other]) each.stop();
    for (const each of [folder, other.folder]) rmSync(each, { recursive: true });
    const [first, part] = partsOf(hook);
    expect(part.id).not.toBe(first.id); // another body
    expect(part.data.proof.dropped).toEqual({ firstSequence: 1, lastSequence: 5 });
    expect(sequencesOf(part)[0]).toBe(6);
    expect(lines).toEqual([
      "accepted: 1 entries up to 6, dropped up to 5, which no entry records yet",
      "accepted: 1 entries up to 7",
    ]);
    expect(linesOfOther).toEqual(["accepted: 0 entries up to 6", "accepted: 1 entries up to 7"]);
  },
);
