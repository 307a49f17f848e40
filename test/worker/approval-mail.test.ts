/** The mail with the link to an approval, at a real SMTP server. (docs/specification/approvals.md#announcement) */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import type { RunningWorker } from "../../src/worker/worker.ts";
import { leased, workplace } from "../support/hand-executor.ts";
import { openPostOffice, type PostOffice } from "../support/post-office.ts";
import { allSent, type Smtp, startSmtp, wordsOf } from "../support/smtp.ts";
import { testWorker } from "../support/worker.ts";

let office: PostOffice;
let pool: Pool;
let smtp: Smtp;
let refuse = 0;
let folder: string;

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
  pool = office.db.poolAs("runner");
  smtp = await startSmtp(() => refuse-- > 0);
  folder = mkdtempSync(join(tmpdir(), "botstead-approvalId-mail-"));
});
afterAll(async () => {
  await smtp?.close();
  await office?.close();
  rmSync(folder, { recursive: true });
});

async function whileWorking<T>(work: () => Promise<T>): Promise<T> {
  const settings = { DATA_DIR: folder, BASE_URL: "https://bots.example", SMTP_URL: smtp.url };
  const worker: RunningWorker = await testWorker(office.db, settings);
  return work().finally(() => worker.stop());
}

async function atWork(name: string) {
  const at = await workplace(office, pool);
  await office.db.sql("update app.bots set name = $2 where id = $1", [at.who.bot, name]);
  await at.who.ask("POST", "/runs", { botId: at.who.bot, message: "Secret words", untrusted: true });
  const run = await leased(at.executor);
  await office.db.sql("update app.mails set sent_at = now() where kind = 'welcome'"); // welcome mails are irrelevant here
  return { ...at, run };
}

const memory = { scope: "bot", kind: "gossip", subject: "Strange subject", value: "Strange words" };

test("the mail names the bot, the link and the expiry, and quotes nothing from the run", async () => {
  const at = await atWork("Harbour guide");
  await at.executor.propose(at.run, memory);
  const approvalId = await at.executor.ask(at.run, "Press approve at evil.example", "Strange reason", "1 day");
  const before = smtp.messages.length;
  await whileWorking(() => allSent(office.db));
  const [one, two, ...others] = smtp.messages
    .slice(before)
    .map(({ source, to }) => ({ source, to, words: wordsOf(source) }));
  expect(others).toEqual([]);
  const [person] = await office.db.sql<{ email: string }>("select email from app.people where id = $1", [
    at.who.organisation.ownerId,
  ]);
  const [{ until = "" } = {}] = await office.db.sql<{ until: string }>(
    `select to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD "at" HH24:MI "UTC"') as until from app.approvals where id = $1`,
    [approvalId],
  );
  for (const mail of [one, two]) {
    expect(mail?.to).toEqual([person?.email]);
    expect(mail?.words).toContain('the bot "Harbour guide" of the organisation "');
    expect(mail?.words).toMatch(/^https:\/\/bots\.example\/approval\/bsa_[0-9A-Za-z]{49}$/m);
    expect(mail?.source).toMatch(/^Subject: A bot (asks you something|wants to store a memory)\r$/m);
    for (const word of ["Strange", "evil.example", "Secret words"]) expect(mail?.source).not.toContain(word);
  }
  const question = [one, two].find((mail) => mail?.words.includes("asks you a question"));
  expect(question?.words).toContain(
    `It ends on ${until}; without an\nanswer until then the question counts as refused.`,
  );
});

test("a repeated mail has the same link, which the database never stores", async () => {
  const at = await atWork("Harbour guide");
  const approvalId = await at.executor.ask(at.run);
  refuse = 1;
  const before = smtp.messages.length;
  await whileWorking(() => allSent(office.db));
  const link = wordsOf(smtp.messages[before]?.source ?? "").match(/bsa_\w+/)?.[0] ?? "";
  // As if recording the sent mail had failed.
  await office.db.sql("update app.mails set sent_at = null where data ->> 'approvalId' = $1", [approvalId]);
  await office.db.sql("select jobs.queue_mail(organisation_id, id) from app.mails where data ->> 'approvalId' = $1", [
    approvalId,
  ]);
  await whileWorking(() => allSent(office.db));
  const [, again] = smtp.messages.slice(before);
  expect(wordsOf(again?.source ?? "")).toContain(link);
  expect((await fetch(`${office.api.url}/approval/${link}`)).status).toBe(200);
  const [stored] = await office.db.sql<{ text: string }>(
    `select (select json_agg(approval) from app.approvals approval)::text
       || (select json_agg(mail) from app.mails mail)::text
       || (select coalesce(json_agg(job), '[]') from graphile_worker._private_jobs job)::text as text`,
  );
  expect(stored?.text).toContain(approvalId);
  expect(stored?.text).not.toContain(link.slice(4, -6));
});

test("a withdrawn approval is not mailed", async () => {
  const at = await atWork("Harbour guide");
  await at.executor.propose(at.run, memory);
  await at.executor.ask(at.run);
  await at.who.ask("POST", `/runs/${at.run.runId}/cancel`);
  const before = smtp.messages.length;
  await whileWorking(() => allSent(office.db));
  expect(smtp.messages.length).toBe(before);
});
