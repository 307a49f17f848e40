/** Failed attempts of the stream of the audit log, and changes of the stream. (docs/specification/audit-log.md#stream) */
import { partsOf, sequencesOf, untilSent } from "../support/audit-streams.ts";
import { testCheckpoints, writeEntries } from "../support/checkpoints.ts";
import { customer, expectSigned, type Hook, openPostOffice, type PostOffice, status } from "../support/post-office.ts";
import { allSent, type Smtp, startSmtp, wordsOf } from "../support/smtp.ts";
import { eventually, moveClock, testWorker } from "../support/worker.ts";

let office: PostOffice;
let smtp: Smtp;
const workers: Awaited<ReturnType<typeof testWorker>>[] = [];

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
  smtp = await startSmtp();
  // Two, as in every test of this file: none may send a part while the other does.
  for (let count = 0; count < 2; count += 1)
    workers.push(await testWorker(office.db, { ...office.settings, SMTP_URL: smtp.url }, []));
});
afterAll(async () => {
  for (const worker of workers) await worker.stop();
  await smtp.close();
  await office.close();
});

async function streamTo(hook: Hook) {
  const who = await customer(office);
  const { secret } = (await who.ask("POST", "/audit/stream", { url: hook.url })).body;
  const organisation = who.organisation.id;
  const stream = async () => (await who.ask("GET", "/audit/stream")).body;
  return { who, secret: secret as string, organisation, stream };
}

/** Queued and running jobs of streams. @param where a condition on graphile_worker.jobs */
const jobs = (where = "true") =>
  office.db.sql(`select from graphile_worker.jobs where task_identifier = 'stream_audit_log' and ${where}`);

const checkpoint = () => testCheckpoints(office.db).run();

/** Answers later, when `release` is called. */
function holding(hook: Hook): { release(code: number): void } {
  let answer: ((code: number) => void) | undefined;
  hook.answer = (_request, response) => {
    answer = (code) => void response.writeHead(code).end();
  };
  return { release: (code) => answer?.(code) };
}

test("two workers send many parts one after the other, each once", async () => {
  let open = 0;
  let maxOpen = 0;
  const hook = office.hook((_request, response) => {
    open += 1;
    maxOpen = Math.max(maxOpen, open);
    setImmediate(() => {
      open -= 1;
      response.writeHead(200).end();
    });
  });
  const { organisation } = await streamTo(hook);
  await writeEntries(office.db, organisation, 1_500);
  await checkpoint();
  // Superfluous jobs, which both workers run at once.
  await office.db.sql("select jobs.queue_audit_stream($1) from generate_series(1, 50)", [organisation]);
  await untilSent(office, organisation);
  const sequences = partsOf(hook).flatMap(sequencesOf);
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  expect(maxOpen).toBe(1);
});

test("a failed part is sent again on the schedule of deliveries, the same bytes, and later entries wait", async () => {
  const hook = office.hook(status(500));
  const { who, organisation, stream } = await streamTo(hook);
  await checkpoint();
  await eventually(async () => hook.posts().length === 1 && (await stream()).lastStatusCode === 500);
  expect(await stream()).toMatchObject({ state: "active", consecutiveFailures: 0, afterSequence: 0 });
  expect((await stream()).failingSince).not.toBeNull();
  await writeEntries(office.db, organisation, 3);
  await checkpoint();
  for (const [attempt, minutes] of [
    [2, 2],
    [3, 7],
    [4, 40],
    [5, 140],
  ] as const) {
    const { nextAttemptAt } = await stream();
    const [due] = await office.db.sql<{ minutes: number }>(
      "select extract(epoch from $1::timestamptz - times.clock()) / 60 as minutes",
      [nextAttemptAt],
    );
    expect(Number(due?.minutes)).toBeLessThan(minutes);
    expect(hook.posts()).toHaveLength(attempt - 1);
    await moveClock(office.db, `${minutes} minutes`);
    await eventually(async () => hook.posts().length === attempt && (await stream()).nextAttemptAt !== nextAttemptAt);
  }
  expect(await stream()).toMatchObject({ consecutiveFailures: 1 }); // a round of five attempts
  expect(new Set(hook.posts().map(({ body }) => body)).size).toBe(1);
  hook.answer = status(200);
  await moveClock(office.db, "9 hours");
  await untilSent(office, organisation);
  const [first, ...parts] = partsOf(hook).slice(5);
  expect(first).toEqual(partsOf(hook)[0]);
  expect(parts.flatMap(sequencesOf).at(0)).toBe((sequencesOf(first).at(-1) ?? 0) + 1);
  expect(await stream()).toMatchObject({ consecutiveFailures: 0, failingSince: null, nextAttemptAt: null });
  await who.ask("DELETE", "/audit/stream");
});

test.each([
  ["ten failed rounds", 500, "consecutive_failures"],
  ["an answer 410", 410, "gone"],
])(
  "%s disable the stream, owners get a mail and endpoints an event, and enabling it resumes",
  async (_name, code, reason) => {
    const hook = office.hook(status(code));
    const endpoint = office.hook();
    const { who, organisation, stream } = await streamTo(hook);
    await who.subscribe(endpoint, ["audit_stream.disabled"]);
    await allSent(office.db);
    smtp.messages.length = 0;
    await office.db.sql(
      "update app.audit_streams set attempts = 4, consecutive_failures = 9 where organisation_id = $1",
      [organisation],
    );
    await checkpoint();
    await eventually(async () => (await stream()).state === "disabled");
    expect(await stream()).toMatchObject({ disabledReason: reason, afterSequence: 0 });
    await allSent(office.db);
    const mails = smtp.messages.filter(({ source }) => wordsOf(source).includes("sends the audit log"));
    expect(mails.map(({ to }) => to)).toEqual([[who.organisation.email]]);
    expect(wordsOf(mails[0]?.source ?? "")).toContain(new URL(hook.url).host);
    await eventually(async () => endpoint.posts().length === 1);
    expect(JSON.parse(endpoint.posts()[0]?.body ?? "")).toMatchObject({
      event: "audit_stream.disabled",
      data: { streamId: (await stream()).id, reason },
    });
    expect((await who.ask("PATCH", "/audit/stream", { state: "paused" }, "mayFail")).status).toBe(409);
    const attempts = hook.posts().length;
    await checkpoint();
    hook.answer = status(200);
    await who.ask("PATCH", "/audit/stream", { state: "active" });
    await untilSent(office, organisation);
    const sent = partsOf(hook).slice(attempts);
    expect(sent[0].id).toBe(partsOf(hook)[0].id);
    expect(sent.flatMap(sequencesOf)[0]).toBe(1);
    expect(await stream()).toMatchObject({
      state: "active",
      disabledReason: null,
      disabledAt: null,
      consecutiveFailures: 0,
    });
  },
);

test("a paused stream sends nothing, and continues when it is resumed", async () => {
  const hook = office.hook();
  const { who, organisation } = await streamTo(hook);
  await who.ask("PATCH", "/audit/stream", { state: "paused" });
  await checkpoint();
  await office.db.sql("select jobs.queue_audit_stream($1)", [organisation]);
  await eventually(async () => (await jobs()).length === 0);
  expect(hook.posts()).toEqual([]);
  await who.ask("PATCH", "/audit/stream", { state: "active" });
  await untilSent(office, organisation);
  expect(partsOf(hook).flatMap(sequencesOf)[0]).toBe(1);
});

test("a part under way when the secret is rotated has the old signature, and the next part the new one", async () => {
  const hook = office.hook();
  const { who, organisation, secret } = await streamTo(hook);
  const pending = holding(hook);
  await writeEntries(office.db, organisation, 150);
  await checkpoint();
  await eventually(async () => hook.posts().length === 1);
  const rotated = (await who.ask("POST", "/audit/stream/rotate")).body.secret;
  pending.release(200);
  hook.answer = status(200);
  await untilSent(office, organisation);
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
  const hook = office.hook();
  const { who, organisation, stream } = await streamTo(hook);
  await checkpoint();
  await untilSent(office, organisation);
  const before = hook.posts().length;
  const { afterSequence } = await stream();
  const pending = holding(hook);
  await writeEntries(office.db, organisation, 5);
  await checkpoint();
  await eventually(async () => hook.posts().length === before + 1);
  const after = (await who.ask("PATCH", "/audit/stream", change)).body;
  expect(after.afterSequence).toBe("format" in change ? afterSequence : 0);
  await office.db.sql("select jobs.queue_audit_stream($1) from generate_series(1, 5)", [organisation]);
  await eventually(
    async () =>
      (
        await office.db.sql(
          "select from graphile_worker.jobs where task_identifier = 'stream_audit_log' and locked_at is null",
        )
      ).length === 0,
  );
  expect(hook.posts()).toHaveLength(before + 1);
  pending.release(200);
  hook.answer = status(200);
  await untilSent(office, organisation);
  const parts = partsOf(hook).slice(before);
  expect(parts[1].id).not.toBe(parts[0].id);
  expect(sequencesOf(parts[1])[0]).toBe(after.afterSequence + 1);
  expect(parts[1].data.format).toBe(after.format);
});

test("the outcome of a deleted stream changes nothing of its successor", async () => {
  const hook = office.hook();
  const { who, organisation, stream } = await streamTo(hook);
  const pending = holding(hook);
  await checkpoint();
  await eventually(async () => hook.posts().length === 1);
  await who.ask("DELETE", "/audit/stream");
  const other = office.hook(status(500));
  await who.ask("POST", "/audit/stream", { url: other.url });
  await eventually(async () => other.posts().length === 1 && (await stream()).lastStatusCode === 500);
  pending.release(200);
  await eventually(
    async () =>
      (
        await office.db.sql(
          "select from graphile_worker.jobs where task_identifier = 'stream_audit_log' and locked_at is not null",
        )
      ).length === 0,
  );
  expect(await stream()).toMatchObject({ afterSequence: 0, lastStatusCode: 500 });
  expect(organisation).toBe(who.organisation.id);
});

test("without a secret that can be opened nothing is sent, no attempt counts, and a rotation sends at once", async () => {
  const hook = office.hook();
  const { who, organisation, stream } = await streamTo(hook);
  await office.db.sql("update app.audit_streams set secret_sealed = '\\x0102' where organisation_id = $1", [
    organisation,
  ]);
  await checkpoint();
  await eventually(async () => (await stream()).lastFailure === "secret");
  expect(await stream()).toMatchObject({
    state: "active",
    consecutiveFailures: 0,
    secretLostSince: expect.any(String),
  });
  expect(hook.posts()).toEqual([]);
  const { secret } = (await who.ask("POST", "/audit/stream/rotate")).body;
  await untilSent(office, organisation);
  expectSigned(hook.posts()[0], secret);
  expect((await stream()).secretLostSince).toBeNull();
});

test("maintenance queues a stream again whose job was lost", async () => {
  const hook = office.hook();
  const { who, organisation } = await streamTo(hook);
  await who.ask("PATCH", "/audit/stream", { state: "paused" });
  await checkpoint();
  await office.db.sql(
    "begin; set local session_replication_role = replica; update app.audit_streams set state = 'active'; commit",
  ); // queues nothing
  await untilSent(office, organisation);
  expect(hook.posts()).not.toEqual([]);
});

test("streams that hang leave the slots of jobs to others", async () => {
  const hook = office.hook(status(500));
  const { organisation, stream } = await streamTo(hook);
  await checkpoint();
  await eventually(async () => (await stream()).lastStatusCode === 500);
  const others = await Promise.all(Array.from({ length: 20 }, () => customer(office)));
  for (const { ask } of others) await ask("POST", "/audit/stream", { url: hook.url });
  const ids = others.map((other) => other.organisation.id);
  await office.db.sql(
    `update app.audit_streams set degraded_since = now(), lease_id = uuidv7(), lease_until = times.clock() + interval '1 hour'
     where organisation_id = any ($1)`,
    [ids],
  );
  const sent = hook.posts().length;
  await office.db.sql("update app.audit_streams set next_attempt_at = times.clock() where organisation_id = $1", [
    organisation,
  ]);
  await office.db.sql("select jobs.queue_audit_stream($1)", [organisation]);
  // The job puts itself off by a second.
  await eventually(
    async () =>
      (
        await office.db.sql(
          "select from graphile_worker.jobs where task_identifier = 'stream_audit_log' and run_at > now() and attempts = 0",
        )
      ).length > 0,
  );
  expect(hook.posts()).toHaveLength(sent);
  await office.db.sql("update app.audit_streams set lease_until = times.clock() where organisation_id = any ($1)", [
    ids.slice(0, 1),
  ]);
  await eventually(async () => hook.posts().length > sent);
});
