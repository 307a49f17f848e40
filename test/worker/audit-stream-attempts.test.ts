/** Failed attempts of the stream of the audit log, and what follows from them. (docs/specification/audit-log.md#stream) */
import { partsOf, sequencesOf, streamsOfFile, untilSent } from "../support/audit-streams.ts";
import { writeEntries } from "../support/checkpoints.ts";
import { expectSigned, status } from "../support/post-office.ts";
import { allSent, type Smtp, startSmtp, wordsOf } from "../support/smtp.ts";
import { eventually, moveClock } from "../support/worker.ts";

let smtp: Smtp;
const streams = streamsOfFile(async () => {
  smtp = await startSmtp();
  return { SMTP_URL: smtp.url };
});
afterAll(() => smtp.close());

test("a failed part is sent again on the schedule of deliveries, the same bytes, and later entries wait", async () => {
  const hook = streams.office.hook(status(500));
  const { who, organisation, stream } = await streams.streamTo(hook);
  await streams.checkpoint();
  await eventually(async () => hook.posts().length === 1 && (await stream()).lastStatusCode === 500);
  expect(await stream()).toMatchObject({ state: "active", consecutiveFailures: 0, afterSequence: 0 });
  expect((await stream()).failingSince).not.toBeNull();
  await writeEntries(streams.office.db, organisation, 3);
  await streams.checkpoint();
  for (const [attempt, minutes] of [
    [2, 2],
    [3, 7],
    [4, 40],
    [5, 140],
  ] as const) {
    const { nextAttemptAt } = await stream();
    const [due] = await streams.office.db.sql<{ minutes: number }>(
      "select extract(epoch from $1::timestamptz - times.clock()) / 60 as minutes",
      [nextAttemptAt],
    );
    expect(Number(due?.minutes)).toBeLessThan(minutes);
    expect(hook.posts()).toHaveLength(attempt - 1);
    await moveClock(streams.office.db, `${minutes} minutes`);
    await eventually(async () => hook.posts().length === attempt && (await stream()).nextAttemptAt !== nextAttemptAt);
  }
  expect(await stream()).toMatchObject({ consecutiveFailures: 1 }); // a round of five attempts
  expect(new Set(hook.posts().map(({ body }) => body)).size).toBe(1);
  hook.answer = status(200);
  await moveClock(streams.office.db, "9 hours");
  await untilSent(streams.office, organisation);
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
    const hook = streams.office.hook(status(code));
    const endpoint = streams.office.hook();
    const { who, organisation, stream } = await streams.streamTo(hook);
    await who.subscribe(endpoint, ["audit_stream.disabled"]);
    await allSent(streams.office.db);
    smtp.messages.length = 0;
    await streams.office.db.sql(
      "update app.audit_streams set attempts = 4, consecutive_failures = 9 where organisation_id = $1",
      [organisation],
    );
    await streams.checkpoint();
    await eventually(async () => (await stream()).state === "disabled");
    expect(await stream()).toMatchObject({ disabledReason: reason, afterSequence: 0 });
    await allSent(streams.office.db);
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
    await streams.checkpoint();
    hook.answer = status(200);
    await who.ask("PATCH", "/audit/stream", { state: "active" });
    await untilSent(streams.office, organisation);
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

test("without a secret that can be opened nothing is sent, no attempt counts, and a rotation sends at once", async () => {
  const hook = streams.office.hook();
  const { who, organisation, stream } = await streams.streamTo(hook);
  await streams.office.db.sql("update app.audit_streams set secret_sealed = '\\x0102' where organisation_id = $1", [
    organisation,
  ]);
  await streams.checkpoint();
  await eventually(async () => (await stream()).lastFailure === "secret");
  expect(await stream()).toMatchObject({
    state: "active",
    consecutiveFailures: 0,
    secretLostSince: expect.any(String),
  });
  expect(hook.posts()).toEqual([]);
  const { secret } = (await who.ask("POST", "/audit/stream/rotate")).body;
  await untilSent(streams.office, organisation);
  expectSigned(hook.posts()[0], secret);
  expect((await stream()).secretLostSince).toBeNull();
});
