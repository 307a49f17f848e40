/** Jobs of streams of the audit log: superfluous, lost, and beside streams that hang. (docs/specification/audit-log.md#stream) */
import { partsOf, sequencesOf, streamsOfFile, untilSent } from "../support/audit-streams.ts";
import { writeEntries } from "../support/checkpoints.ts";
import { customer, status } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";

const streams = streamsOfFile();

test("two workers send many parts one after the other, each once", async () => {
  let open = 0;
  let maxOpen = 0;
  const hook = streams.office.hook((_request, response) => {
    open += 1;
    maxOpen = Math.max(maxOpen, open);
    setImmediate(() => {
      open -= 1;
      response.writeHead(200).end();
    });
  });
  const { organisation } = await streams.streamTo(hook);
  await writeEntries(streams.office.db, organisation, 1_500);
  await streams.checkpoint();
  // Superfluous jobs, which both workers run at once.
  await streams.office.db.sql("select jobs.queue_audit_stream($1) from generate_series(1, 50)", [organisation]);
  await untilSent(streams.office, organisation);
  const sequences = partsOf(hook).flatMap(sequencesOf);
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  expect(maxOpen).toBe(1);
});

test("maintenance queues a stream again whose job was lost", async () => {
  const hook = streams.office.hook();
  const { who, organisation } = await streams.streamTo(hook);
  await who.ask("PATCH", "/audit/stream", { state: "paused" });
  await streams.checkpoint();
  await streams.office.db.sql(
    "begin; set local session_replication_role = replica; update app.audit_streams set state = 'active'; commit",
  ); // queues nothing
  await untilSent(streams.office, organisation);
  expect(hook.posts()).not.toEqual([]);
});

/** 20 streams under lease, in this state. @param sinceMs how long their attempts have taken */
async function underWay(url: string, state: string, sinceMs = 0): Promise<string[]> {
  const others = await Promise.all(Array.from({ length: 20 }, () => customer(streams.office)));
  for (const { ask } of others) await ask("POST", "/audit/stream", { url });
  const ids = others.map(({ organisation }) => organisation.id);
  await streams.office.db.sql(
    `update app.audit_streams
     set ${state}, lease_id = uuidv7($2 * interval '-1 millisecond'), lease_until = times.clock() + interval '1 hour'
     where organisation_id = any ($1)`,
    [ids, sinceMs],
  );
  return ids;
}

const end = (organisations: string[]) =>
  streams.office.db.sql("update app.audit_streams set lease_until = times.clock() where organisation_id = any ($1)", [
    organisations,
  ]);

test.each([
  ["whose last attempt failed", "degraded_since = now()", 0],
  ["that have delivered nothing yet", "last_delivery_at = null", 0],
  ["whose attempts take 3 s", "last_delivery_at = now()", 3_000],
])("20 streams %s leave the slots of jobs to others, and a stream that works continues", async (_, state, sinceMs) => {
  const hook = streams.office.hook();
  const working = await streams.streamTo(hook);
  await streams.checkpoint();
  await untilSent(streams.office, working.organisation);
  const ids = await underWay("https://silent.example/", state, sinceMs);
  const fresh = streams.office.hook();
  await streams.streamTo(fresh);
  await working.who.ask("POST", "/bots", { name: "Later" });
  await streams.checkpoint();
  await untilSent(streams.office, working.organisation);
  // The job of the new stream puts itself off by a second.
  await eventually(async () => (await streams.jobs("run_at > now() and attempts = 0")).length > 0);
  expect(fresh.posts()).toEqual([]);
  await end(ids.slice(0, 1));
  await eventually(async () => fresh.posts().length > 0);
  await end(ids);
});

test("a stream whose last attempt failed waits while 20 such streams have an attempt under way", async () => {
  const hook = streams.office.hook(status(500));
  const { organisation, stream } = await streams.streamTo(hook);
  await streams.checkpoint();
  await eventually(async () => (await stream()).lastStatusCode === 500);
  const ids = await underWay(hook.url, "degraded_since = now()");
  const sent = hook.posts().length;
  await streams.office.db.sql(
    "update app.audit_streams set next_attempt_at = times.clock() where organisation_id = $1",
    [organisation],
  );
  await streams.office.db.sql("select jobs.queue_audit_stream($1)", [organisation]);
  await eventually(async () => (await streams.jobs("run_at > now() and attempts = 0")).length > 0);
  expect(hook.posts()).toHaveLength(sent);
  await end(ids.slice(0, 1));
  await eventually(async () => hook.posts().length > sent);
  await end(ids);
});
