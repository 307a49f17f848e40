/** A worker is killed while it sends a part of an audit log, and while it records that the part has arrived. */
import { partsOf, sequencesOf, untilSent } from "../support/audit-streams.ts";
import { testCheckpoints, writeEntries } from "../support/checkpoints.ts";
import { customer, openPostOffice, type PostOffice, status } from "../support/post-office.ts";
import { killPrograms } from "../support/program.ts";
import { begun, lockWaits, terminateWaiting } from "../support/transactions.ts";
import { eventually, moveClock, workerProcess } from "../support/worker.ts";

let office: PostOffice;

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
});
afterAll(async () => {
  await killPrograms();
  await office.close();
});

test("every entry arrives in order, and of an interrupted part the same bytes again", async () => {
  const who = await customer(office);
  const hook = office.hook(() => {}); // keeps the part waiting
  const organisation = who.organisation.id;
  await who.ask("POST", "/audit/stream", { url: hook.url });
  await writeEntries(office.db, organisation, 250);
  await testCheckpoints(office.db).run();
  const position = async () => (await who.ask("GET", "/audit/stream")).body.afterSequence;

  // Killed while the part is sent, twice.
  for (const attempt of [1, 2]) {
    const worker = workerProcess(office);
    await eventually(async () => hook.posts().length === attempt);
    await worker.kill("SIGKILL");
    expect(await position()).toBe(0);
    await moveClock(office.db, "13 seconds"); // past its lease
  }

  // Killed after the receiver has the part, before its outcome is recorded.
  const locker = await begun(office.db);
  let releases = 0;
  hook.answer = async (_request, response) => {
    await locker.query("select from app.audit_streams where organisation_id = $1 for update", [organisation]);
    releases += 1;
    response.writeHead(200).end();
  };
  const recording = workerProcess(office);
  await eventually(async () => releases === 1);
  const session = "botstead worker, jobs";
  await eventually(async () => (await lockWaits(office.db, `application_name = '${session}'`)) > 0);
  await recording.kill("SIGKILL");
  await terminateWaiting(office.db, session); // the server has not noticed the kill
  await locker.query("rollback");
  expect(await position()).toBe(0);

  hook.answer = status(200);
  await moveClock(office.db, "13 seconds");
  const last = workerProcess(office);
  await untilSent(office, organisation);
  await last.kill("SIGTERM");
  const interrupted = hook.posts().slice(0, 4);
  expect(new Set(interrupted.map(({ body }) => body)).size).toBe(1);
  const parts = partsOf(hook).slice(3);
  expect(new Set(parts.map(({ id }) => id)).size).toBe(parts.length);
  const sequences = parts.flatMap(sequencesOf);
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  expect(sequences.length).toBeGreaterThan(250);
  expect(await position()).toBe(sequences.length);
});
