/** Changes of the stream of the audit log, also while a part is under way. (docs/specification/audit-log.md#stream) */
import { partsOf, sequencesOf, streamsOfFile, untilSent } from "../support/audit-streams.ts";
import { writeEntries } from "../support/checkpoints.ts";
import { expectSigned, type Hook, status } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";

const streams = streamsOfFile();

/** Answers later, when `release` is called. */
function holding(hook: Hook): { release(code: number): void } {
  let answer: ((code: number) => void) | undefined;
  hook.answer = (_request, response) => {
    answer = (code) => void response.writeHead(code).end();
  };
  return { release: (code) => answer?.(code) };
}

test("a paused stream sends nothing, and continues when it is resumed", async () => {
  const hook = streams.office.hook();
  const { who, organisation } = await streams.streamTo(hook);
  await who.ask("PATCH", "/audit/stream", { state: "paused" });
  await streams.checkpoint();
  await streams.office.db.sql("select jobs.queue_audit_stream($1)", [organisation]);
  await eventually(async () => (await streams.jobs()).length === 0);
  expect(hook.posts()).toEqual([]);
  await who.ask("PATCH", "/audit/stream", { state: "active" });
  await untilSent(streams.office, organisation);
  expect(partsOf(hook).flatMap(sequencesOf)[0]).toBe(1);
});

test("a part under way when the secret is rotated has the old signature, and the next part the new one", async () => {
  const hook = streams.office.hook();
  const { who, organisation, secret } = await streams.streamTo(hook);
  const pending = holding(hook);
  await writeEntries(streams.office.db, organisation, 150);
  await streams.checkpoint();
  await eventually(async () => hook.posts().length === 1);
  const rotated = (await who.ask("POST", "/audit/stream/rotate")).body.secret;
  pending.release(200);
  hook.answer = status(200);
  await untilSent(streams.office, organisation);
  const [before, ...after] = hook.posts();
  expectSigned(before, secret);
  expect(after.length).toBeGreaterThan(0);
  for (const post of after) expectSigned(post, rotated);
  expect(partsOf(hook).flatMap(sequencesOf)).toEqual(
    partsOf(hook)
      .flatMap(sequencesOf)
      .map((_, index) => index + 1),
  );
});

test.each([
  ["its format", { format: "ocsf" }],
  ["its position", { afterEntryId: null }],
])("a change of %s during a send starts no second send, and the outcome moves no position", async (_name, change) => {
  const hook = streams.office.hook();
  const { who, organisation, stream } = await streams.streamTo(hook);
  await streams.checkpoint();
  await untilSent(streams.office, organisation);
  const before = hook.posts().length;
  const { afterSequence } = await stream();
  const pending = holding(hook);
  await writeEntries(streams.office.db, organisation, 5);
  await streams.checkpoint();
  await eventually(async () => hook.posts().length === before + 1);
  const after = (await who.ask("PATCH", "/audit/stream", change)).body;
  expect(after.afterSequence).toBe("format" in change ? afterSequence : 0);
  await streams.office.db.sql("select jobs.queue_audit_stream($1) from generate_series(1, 5)", [organisation]);
  await eventually(async () => (await streams.jobs("locked_at is null")).length === 0);
  expect(hook.posts()).toHaveLength(before + 1);
  pending.release(200);
  hook.answer = status(200);
  await untilSent(streams.office, organisation);
  const parts = partsOf(hook).slice(before);
  expect(parts[1].id).not.toBe(parts[0].id);
  expect(sequencesOf(parts[1])[0]).toBe(after.afterSequence + 1);
  expect(parts[1].data.format).toBe(after.format);
});

test("the outcome of a deleted stream changes nothing of its successor", async () => {
  const hook = streams.office.hook();
  const { who, organisation, stream } = await streams.streamTo(hook);
  const pending = holding(hook);
  await streams.checkpoint();
  await eventually(async () => hook.posts().length === 1);
  await who.ask("DELETE", "/audit/stream");
  const other = streams.office.hook(status(500));
  await who.ask("POST", "/audit/stream", { url: other.url });
  await eventually(async () => other.posts().length === 1 && (await stream()).lastStatusCode === 500);
  pending.release(200);
  await eventually(async () => (await streams.jobs("locked_at is not null")).length === 0);
  expect(await stream()).toMatchObject({ afterSequence: 0, lastStatusCode: 500 });
  expect(organisation).toBe(who.organisation.id);
});
