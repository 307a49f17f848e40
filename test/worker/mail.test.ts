/** Mail leaves once, through SMTP or into a file. (docs/specification/service.md#mail) */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestApi, testApi } from "../support/api.ts";
import { makePlatformKey, type TestDatabase, testDatabase } from "../support/database.ts";
import { allSent, startSmtp } from "../support/smtp.ts";
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

test("a person with a known address gets one mail for each organisation", async () => {
  await found("One", "olga@example.test");
  await found("Two", "OLGA@example.test");
  const worker = await testWorker(db, { DATA_DIR: folder });
  await allSent(db);
  await worker.stop();
  const mails = readdirSync(join(folder, "mail")).map((file) => readFileSync(join(folder, "mail", file), "utf8"));
  expect(mails.map((mail) => mail.match(/the organisation "(.*)" was set up/)?.[1]).sort()).toEqual(["One", "Two"]);
});
