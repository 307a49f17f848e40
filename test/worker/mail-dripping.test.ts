/** A mail server that drips holds a mail no longer than its deadline, and mail flows soon after it is well again. */
import { connect, createServer, type Server, type Socket } from "node:net";
import { makeMailer } from "../../src/worker/mailer.ts";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { type DrippingStage, startDrippingSmtp } from "../support/dripping-smtp.ts";
import { allSent, startSmtp } from "../support/smtp.ts";
import { eventually, testWorker } from "../support/worker.ts";

const mail = { id: "01890000-0000-7000-8000-000000000001", to: "ada@example.test", subject: "Hello", text: "Hello." };
const mailer = (smtpUrl: string, deadlineMs?: number) =>
  makeMailer({ smtpUrl, mailFrom: "bots@example.test", dataDir: "" }, deadlineMs);

describe("a mail to a dripping server", () => {
  test.each<[DrippingStage, string]>([
    ["greeting", "MailServerAway"],
    ["ehlo", "MailServerAway"],
    ["message", "AbortError"], // it has the whole message, and may have sent it on
  ])("is cancelled with its connection at the deadline of its %s", async (command, name) => {
    const server = await startDrippingSmtp(command);
    const sent = performance.now();
    await expect(mailer(server.url, 1_000).send(mail)).rejects.toMatchObject({ name });
    expect(performance.now() - sent).toBeLessThan(20_000);
    await eventually(async () => server.open() === 0);
    expect(server.connections()).toBe(1);
    await server.close();
  });

  test("is cancelled when the worker stops", async () => {
    const server = await startDrippingSmtp("ehlo");
    const stopped = mailer(server.url);
    const sending = stopped.send(mail);
    await Promise.all([
      expect(sending).rejects.toMatchObject({ name: "MailServerAway" }),
      eventually(async () => server.open() === 1).then(() => stopped.close()),
    ]);
    await server.close();
  });
});

test.each<[string, number, string]>([
  ["a recipient", 550, "MailRefused"],
  ["a recipient for a while", 450, "EENVELOPE"],
  ["everybody", 421, "MailServerAway"],
])("a server that refuses %s (%d) fails the mail with %s", async (_whom, responseCode, kind) => {
  const smtp = await startSmtp(() => true, undefined, responseCode);
  const error = await mailer(smtp.url)
    .send(mail)
    .then(
      () => undefined,
      (failure: Error & { code?: string }) => failure,
    );
  expect([error?.name, error?.code]).toContain(kind);
  await smtp.close();
});

describe("in the queue", () => {
  let db: TestDatabase;
  let organisation: string;

  beforeEach(async () => {
    db = await testDatabase();
    organisation = (await makeOrganisation(db)).id;
    await db.sql("delete from app.mails"); // its owner's welcome
    await db.sql("delete from graphile_worker._private_jobs");
  });
  afterEach(() => db.drop());

  const queue = (count: number) =>
    db.sql(
      `insert into app.mails (organisation_id, kind, recipient, data)
       select $1, 'welcome', number || '@example.test', '{"organisation":"Harbour"}' from generate_series(1, $2) number`,
      [organisation, count],
    );

  test("a mail waits at most a minute for an unreachable server, despite the queue's back-off; others keep theirs", async () => {
    await queue(3);
    const [away, refused, waiting] = (
      await db.sql<{ id: string }>("select id from graphile_worker._private_jobs order by id")
    ).map(({ id }) => id);
    for (const [id, error] of [
      [away, "MailServerAway EABORT"],
      [refused, "Error EENVELOPE 550"],
    ]) {
      await db.sql(
        "update graphile_worker._private_jobs set attempts = 24, last_error = $2, run_at = now() + interval '6 hours' where id = $1",
        [id, error],
      );
    }
    await db.sql("update graphile_worker._private_jobs set run_at = now() + interval '2 hours' where id = $1", [
      waiting,
    ]);
    await db.poolAs("worker", 1).query("select jobs.run_maintenance()");
    const rows = await db.sql(
      `select attempts, ceil(extract(epoch from run_at - now()) / 60)::integer as minutes
       from graphile_worker._private_jobs order by id`,
    );
    expect(rows).toEqual([
      { attempts: 4, minutes: 1 },
      { attempts: 24, minutes: 360 },
      { attempts: 0, minutes: 120 },
    ]);
  });

  test("the queue stores for an unreachable server the error code that maintenance looks for", async () => {
    await queue(1);
    const worker = await testWorker(db, { SMTP_URL: "smtp://127.0.0.1:1" });
    const error = async () =>
      (await db.sql<{ error: string }>("select last_error as error from graphile_worker.jobs"))[0]?.error;
    await eventually(async () => (await error()) !== null);
    expect(await error()).toMatch(/^MailServerAway E/);
    await worker.stop();
  });

  test("more mails than slots are sent within a minute once the server answers again", async () => {
    const [dripping, well] = [await startDrippingSmtp("ehlo"), await startSmtp()];
    const front = forwardTo(() => (dripping.connections() < 5 ? dripping.url : well.url));
    await queue(8);
    const worker = await testWorker(db, { SMTP_URL: await front.url });
    try {
      await eventually(async () => dripping.open() === 5);
      await eventually(async () => well.messages.length > 0);
      await eventually(async () => well.messages.length === 8);
      await allSent(db);
    } finally {
      await worker.stop();
      front.close();
      await Promise.all([dripping.close(), well.close()]);
    }
  });
});

/** One address before several servers. */
function forwardTo(target: () => string): { url: Promise<string>; close(): void } {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    const { hostname, port } = new URL(target());
    const onward = connect(Number(port), hostname);
    sockets.push(socket, onward);
    for (const end of [socket, onward]) end.on("error", () => {});
    socket.pipe(onward).pipe(socket);
    socket.once("close", () => onward.destroy());
  });
  const url = new Promise<string>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve(`smtp://127.0.0.1:${(server.address() as { port: number }).port}`)),
  );
  return {
    url,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
