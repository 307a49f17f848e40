/** The stream of the audit log, checked by the receiver of the examples. (docs/specification/audit-log.md#stream) */
import { rmSync } from "node:fs";
import {
  type ExampleReceiver,
  type Part,
  partsOf,
  sequencesOf,
  signedHeaders,
  startExample,
  streamTo,
  untilSent,
} from "../support/audit-streams.ts";
import { testCheckpoints, writeEntries } from "../support/checkpoints.ts";
import { testWith } from "../support/machine.ts";
import { operatorLogin } from "../support/operator-login.ts";
import { expectSigned, openPostOffice, type PostOffice } from "../support/post-office.ts";
import type { Received } from "../support/receiver.ts";
import { testWorker } from "../support/worker.ts";

let office: PostOffice;
let worker: Awaited<ReturnType<typeof testWorker>>;
const receivers: (ExampleReceiver & { folder: string })[] = [];

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
  worker = await testWorker(office.db, office.settings, []); // each test runs the checkpoint job
});
afterAll(async () => {
  for (const { stop, folder } of receivers) {
    stop();
    rmSync(folder, { recursive: true, force: true }); // two of them share a folder
  }
  await worker.stop();
  await office.close();
});

const checkpoint = () => testCheckpoints(office.db).run();

async function example(organisation: string, secret: string, folder?: string) {
  const receiver = await startExample(organisation, secret, folder);
  receivers.push(receiver);
  return receiver;
}

test("entries arrive in order and once, in parts of at most 100, as GET /audit returns them, and signed", async () => {
  const hook = office.hook();
  const { who, secret, organisation } = await streamTo(office, hook);
  await writeEntries(office.db, organisation, 230);
  await checkpoint();
  await untilSent(office, organisation);
  await who.ask("POST", "/bots", { name: "Later" });
  await checkpoint();
  await untilSent(office, organisation);

  const parts = partsOf(hook);
  const sequences = parts.map(sequencesOf);
  expect(sequences.map(({ length }) => length).slice(0, 2)).toEqual([100, 100]);
  expect(sequences.flat()).toEqual(Array.from({ length: sequences.flat().length }, (_, index) => index + 1));
  expect(new Set(parts.map(({ id }) => id)).size).toBe(parts.length);
  for (const post of hook.posts()) {
    expectSigned(post, secret);
    expect(post.headers["x-botstead-event"]).toBe("audit.entries");
    expect(Buffer.byteLength(post.body)).toBeLessThan(256 * 1024);
  }
  const last = parts.at(-1);
  const listed = (await who.ask("GET", `/audit?limit=${last.data.entries.length}`)).body.data;
  expect(last.data.entries.toReversed()).toEqual(listed);
  expect((await who.ask("GET", "/audit/stream")).body).toMatchObject({
    afterEntryId: listed[0].id,
    afterSequence: listed[0].sequence,
    lastStatusCode: 200,
    failingSince: null,
  });
});

test("a part ends early at 64 KB of content, and a larger entry is a part of its own", async () => {
  const hook = office.hook();
  const { organisation } = await streamTo(office, hook);
  const write = (kilobytes: number) =>
    office.db.sql(
      `insert into app.audit_pending_entries (organisation_id, actor, action, resource, changed, after)
       values ($1, 'system', 'updated', 'organisation', '{}', json_build_object('ids', repeat('x', $2::integer * 1024)))`,
      [organisation, kilobytes],
    );
  for (const kilobytes of [30, 30, 30, 90, 1]) await write(kilobytes);
  await checkpoint();
  await untilSent(office, organisation);
  const lengths = partsOf(hook).map(({ data }) =>
    data.contents.reduce((sum: number, content: string) => sum + content.length, 0),
  );
  expect(lengths.filter((length) => length > 65_536)).toHaveLength(1);
  expect(partsOf(hook).flatMap(sequencesOf)).toEqual(
    partsOf(hook)
      .flatMap(sequencesOf)
      .map((_, index) => index + 1),
  );
});

/** Changes a part, as a person between us and the receiver could who knows the secret. */
const faults: Record<string, (data: Part, part: Part) => unknown> = {
  "a dropped entry": ({ entries, contents }) => [entries, contents].map((list) => list.splice(3, 1)),
  "a dropped last entry": ({ entries, contents }) => [entries.pop(), contents.pop()],
  "entries in another order": ({ entries, contents }) => [entries, contents].map((list) => list.push(list.shift())),
  "a changed entry": ({ entries }) => Object.assign(entries[2], { action: "deleted", activity_id: 4 }),
  "a changed new value": ({ entries }) =>
    Object.assign(entries[2].entity_result?.data ?? entries[2].after, { source: "forged" }),
  "an added old value": ({ entries }) => Object.assign(entries[2].entity ?? entries[2], { data: {}, before: {} }),
  "another name of a changed field": ({ entries }) =>
    Object.assign(entries[2].unmapped ?? entries[2], { changed: ["name"] }),
  "an added reason": ({ entries }) => Object.assign(entries[2], { reason: "Ticket 9", comment: "Ticket 9" }),
  "another operator": ({ entries: [, , entry] }) =>
    Object.assign(entry.metadata ? entry.actor : entry, { user: { name: "Eve" }, operator: "Eve" }),
  "a changed content": ({ contents }) => contents.splice(2, 1, contents[2].replace("created", "deleted")),
  "another hash before the first": ({ proof }) => Object.assign(proof, { previousHash: "0".repeat(64) }),
  "a missing leaf": ({ proof }) => proof.leaves.pop(),
  "a changed hash of the tree": ({ proof }) => proof.leaves[0].hashes.splice(0, 1, Buffer.alloc(32).toString("base64")),
  "another leaf": ({ proof }) => Object.assign(proof.leaves[0], { leafIndex: proof.leaves[0].leafIndex + 1 }),
  "a checkpoint that is not signed": ({ proof }) =>
    Object.assign(proof, { checkpoint: proof.checkpoint.replace("\n", "x\n") }),
  "an older checkpoint": ({ proof }) => Object.assign(proof, { consistency: { treeSize: 1, hashes: [] } }),
  "no proof that the checkpoint extends the last one": ({ proof }) => Object.assign(proof, { consistency: null }),
  "a gap as if retention had dropped entries": ({ entries, contents, proof }) =>
    [entries, contents].map((list) => list.splice(0, 2)) &&
    Object.assign(proof, { dropped: { firstSequence: 1, lastSequence: 2 } }),
  "the part of another organisation": (_, part) => Object.assign(part, { organisationId: part.id }),
};

for (const format of ["entries", "ocsf"]) {
  testWith("python3")(
    `the receiver of the examples accepts the format ${format}, also after a restart, and refuses each planted fault`,
    async () => {
      const hook = office.hook();
      const { who, secret, organisation } = await streamTo(office, hook, { format });
      let receiver = await example(organisation, secret);
      const lines: string[] = [];
      hook.answer = async (_request, response) => {
        const post = hook.posts().at(-1) as Received;
        if (partsOf(hook).length > 1) {
          for (const [name, plant] of Object.entries(faults)) {
            const part = JSON.parse(post.body);
            plant(part.data, part);
            const body = JSON.stringify(part);
            const refused = await receiver.pass({ body, headers: signedHeaders(secret, body) });
            lines.push(`${name}: ${refused.status} ${refused.line.split(":")[0]}`);
          }
          const forged = post.body.replace("created", "deleted");
          lines.push(
            (
              await receiver.pass({
                headers: { ...post.headers, "content-length": String(forged.length) },
                body: forged,
              })
            ).line,
          );
        }
        const { status, line } = await receiver.pass(post);
        lines.push(line);
        lines.push((await receiver.pass(post)).line); // a lost response
        response.writeHead(status).end();
      };
      await checkpoint();
      await untilSent(office, organisation);
      const first = lines.splice(0);
      expect(first).toEqual([
        expect.stringMatching(/^accepted: \d+ entries up to/),
        expect.stringMatching(/^accepted: 0 entries/),
      ]);

      receiver.stop();
      receiver = await example(organisation, secret, receiver.folder);
      await writeEntries(office.db, organisation, 20);
      await who.ask("PATCH", "/organisation", { name: 'It\'s "new"' });
      const operator = await operatorLogin(office.db);
      await operator.perform("set_limit($1, 'seats', 50, E'First line\\n\\nlast \\\\ line')", [organisation]);
      await checkpoint();
      await untilSent(office, organisation);
      expect(lines).toEqual([
        ...Object.keys(faults).map((name) => `${name}: 422 refused`),
        "refused: signature",
        `accepted: 22 entries up to ${sequencesOf(partsOf(hook).at(-1)).at(-1)}`,
        expect.stringMatching(/^accepted: 0 entries/),
      ]);

      // Going back sends entries again, which the receiver has.
      lines.splice(0);
      hook.answer = async (_request, response) => {
        const post = hook.posts().at(-1);
        const passed = post && (await receiver.pass(post));
        lines.push(passed?.line ?? "");
        response.writeHead(passed?.status ?? 500).end();
      };
      await who.ask("PATCH", "/audit/stream", { afterEntryId: null });
      await untilSent(office, organisation);
      expect(lines).toEqual([expect.stringMatching(/^accepted: [01] entries up to/)]);
    },
  );
}

test("an event of OCSF has the fields that class 3004 requires, and the values of its entry", async () => {
  const hook = office.hook();
  const { who, organisation } = await streamTo(office, hook, { format: "ocsf" });
  await who.ask("DELETE", `/bots/${who.bot}`);
  await checkpoint();
  await untilSent(office, organisation);
  const events = partsOf(hook).flatMap(({ data }) => data.entries);
  const [entry] = (await who.ask("GET", `/audit?resourceId=${who.bot}&action=updated`)).body.data;
  const event = events.find(({ metadata }: Part) => metadata.uid === entry.id);
  expect(event).toMatchObject({
    category_uid: 3,
    class_uid: 3004,
    activity_id: 3,
    type_uid: 300403,
    severity_id: 1,
    time: Date.parse(entry.createdAt),
    metadata: {
      version: "1.3.0",
      product: { name: "Botstead", vendor_name: "Botstead" },
      uid: entry.id,
      sequence: entry.sequence,
      correlation_uid: entry.requestId,
      tenant_uid: organisation,
    },
    actor: { app_name: "key", app_uid: entry.keyId, user: { uid: entry.userId, credential_uid: entry.keyId } },
    entity: { type: "bot", uid: who.bot },
    entity_result: { type: "bot", uid: who.bot, data: entry.after },
    unmapped: { changed: entry.changed, hash: entry.hash },
  });
  for (const each of events) {
    for (const name of [
      "activity_id",
      "category_uid",
      "class_uid",
      "entity",
      "metadata",
      "severity_id",
      "time",
      "type_uid",
    ])
      expect(each).toHaveProperty(name);
    expect(JSON.stringify({ ...each, unmapped: null, entity: null, entity_result: null }).match(/null/g)).toHaveLength(
      3,
    );
  }
});
