/** Mail leaves once, through SMTP or into a file. (docs/specification/service.md#mail) */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestApi, testApi } from "../support/api.ts";
import { makePlatformKey, type TestDatabase, testDatabase } from "../support/database.ts";
import { allSent, startSmtp, wordsOf } from "../support/smtp.ts";
import { eventually, testWorker } from "../support/worker.ts";

let db: TestDatabase;
let api: TestApi;
let folder: string;

beforeEach(async () => {
  db = await testDatabase();
  api = await testApi(db);
  folder = mkdtempSync(join(tmpdir(), "botstead-mail-"));
});
afterEach(async () => {
  await api.stop();
  await db.drop();
  rmSync(folder, { recursive: true });
});

async function found(name: string, email: string): Promise<void> {
  const key = await makePlatformKey(db);
  const body = { name, owner: { email, displayName: "Olga" } };
  const reply = await api.call("POST", "/platform/organisations", { key: key.text, body });
  expect(reply.status).toBe(201);
}

test("without SMTP a new organisation writes exactly one .eml file that only its owner can read", async () => {
  await found("Zürich & Söhne", "olga@example.test");
  mkdirSync(join(folder, "mail"), { mode: 0o755 }); // as an earlier version left it
  const worker = await testWorker(db, { DATA_DIR: folder });
  await allSent(db);
  await worker.stop();
  const files = readdirSync(join(folder, "mail"));
  expect(files).toEqual([expect.stringMatching(/^[0-9a-f-]{36}\.eml$/)]);
  const file = join(folder, "mail", files[0] ?? "");
  const mail = readFileSync(file, "utf8");
  expect(mail).toMatch(/^To: olga@example\.test$/m);
  expect(mail).toMatch(/^From: Botstead <botstead@localhost>$/m);
  expect(mail).toMatch(/^Subject: You own an organisation on Botstead$/m);
  expect(mail).toMatch(/^Content-Transfer-Encoding: 8bit$/m);
  expect(mail).toContain('the organisation "Zürich & Söhne" was set up');
  expect(mail).toMatch(/^Message-ID: <[0-9a-f-]{36}@botstead>$/m);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "mail")).mode & 0o777).toBe(0o700);
});

test("with SMTP a new organisation sends one message and writes no file", async () => {
  const smtp = await startSmtp(() => false);
  const worker = await testWorker(db, { DATA_DIR: folder, SMTP_URL: smtp.url, MAIL_FROM: "Bots <bots@example.test>" });
  await found("Harbour", "harry@example.test");
  await allSent(db);
  await worker.stop();
  await smtp.close();
  expect(smtp.messages).toEqual([
    { from: "bots@example.test", to: ["harry@example.test"], source: expect.stringContaining("Harbour") },
  ]);
  expect(existsSync(join(folder, "mail"))).toBe(false);
});

test("a message that the server refuses at first arrives once", async () => {
  let refusals = 0;
  const smtp = await startSmtp(() => {
    refusals += 1;
    return refusals <= 2;
  });
  const worker = await testWorker(db, { DATA_DIR: folder, SMTP_URL: smtp.url });
  await found("Harbour", "harry@example.test");
  await eventually(async () => {
    // The queue waits longer after each refusal; the test does not.
    await db.sql("update graphile_worker._private_jobs set run_at = now() where locked_at is null");
    return smtp.messages.length > 0;
  });
  await allSent(db);
  await worker.stop();
  await smtp.close();
  expect(refusals).toBe(3);
  expect(smtp.messages.map(({ to }) => to)).toEqual([["harry@example.test"]]);
});

test("each mail says that it was sent automatically, and no line exceeds 998 octets", async () => {
  const name = "🐟".repeat(120);
  const smtp = await startSmtp();
  const key = await makePlatformKey(db);
  const owner = { email: "olga@example.test", displayName: name };
  const { body: organisation } = await api.call("POST", "/platform/organisations", {
    key: key.text,
    body: { name, owner },
  });
  const path = `/platform/organisations/${organisation.id}/owner-key`;
  const { body: owned } = await api.call("POST", path, { key: key.text, body: { name: "First" } });
  const invited = await api.call("POST", "/invitations", { key: owned.key, body: { email: "nora@example.test" } });
  expect(invited.status).toBe(201);
  const worker = await testWorker(db, { DATA_DIR: folder, SMTP_URL: smtp.url });
  await allSent(db);
  await worker.stop();
  await smtp.close();
  expect(smtp.messages).toHaveLength(2);
  for (const { source } of smtp.messages) {
    expect(source).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    for (const line of source.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(998);
  }
  const invitation = smtp.messages.find(({ to }) => to[0] === "nora@example.test")?.source ?? "";
  const encoded = invitation.slice(invitation.indexOf("\r\n\r\n"));
  const words = /^Content-Transfer-Encoding: base64/m.test(invitation)
    ? Buffer.from(encoded, "base64").toString()
    : wordsOf(invitation);
  expect(words).toContain(`"${name}" invites you to join the organisation "${name}" on Botstead`);
  expect(words).toMatch(/\/invitation\/bsi_[0-9A-Za-z]{49}\n/);
});

test.each([
  [550, "5.1.1", true],
  [554, "5.6.0", true],
  [550, "5.7.1", false],
  [451, "4.7.1", false],
])("a recipient refused with %d %s: the retries end is %p", async (responseCode, enhanced, ends) => {
  let refusals = 0;
  const refuse = () => {
    refusals += 1;
    return true;
  };
  const smtp = await startSmtp(refuse, undefined, responseCode, `${enhanced} No`);
  const worker = await testWorker(db, { DATA_DIR: folder, SMTP_URL: smtp.url });
  await found("Harbour", "harry@example.test");
  const job = async () => {
    const [row] = await db.sql<{ ended: boolean; error: string | null }>(
      `select attempts >= max_attempts as ended, last_error as error from graphile_worker.jobs
       where task_identifier = 'send_mail' and locked_at is null`,
    );
    return row;
  };
  await eventually(async () => Boolean((await job())?.error));
  await eventually(async () => {
    await db.sql("select jobs.run_maintenance()");
    return ends ? ((await job())?.ended ?? false) : refusals > 1;
  });
  expect((await job())?.ended ?? false).toBe(ends);
  if (ends) {
    expect((await job())?.error).toMatch(/^MailRefused/);
    const shown = await db.sql(
      "select attempts, next_attempt_at from operator.waiting_mails where recipient = 'harry@example.test' order by id desc limit 1",
    );
    expect(shown).toEqual([{ attempts: refusals, next_attempt_at: null }]);
  }
  expect(await db.sql("select from app.mails where sent_at is not null")).toEqual([]);
  await worker.stop();
  await smtp.close();
});

test("a person with a known address gets one mail for each organisation", async () => {
  await found("One", "olga@example.test");
  await found("Two", "OLGA@example.test");
  const worker = await testWorker(db, { DATA_DIR: folder });
  await allSent(db);
  await worker.stop();
  const mails = readdirSync(join(folder, "mail")).map((file) => readFileSync(join(folder, "mail", file), "utf8"));
  expect(mails.map((mail) => mail.match(/the organisation "(.*)" was set up/)?.[1]).sort()).toEqual(["One", "Two"]);
});
