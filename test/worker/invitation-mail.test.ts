/** The mail of an invitation. (docs/specification/invitations.md#mail) */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { allSent, startSmtp, wordsOf } from "../support/smtp.ts";
import { eventually, testWorker } from "../support/worker.ts";

const baseUrl = "https://bots.example.test";
const here = ownApiOfFile();
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "botstead-mail-"));
  await here.db.sql("update app.mails set sent_at = now() where sent_at is null"); // welcomes of the owners made so far
});
afterEach(() => rmSync(folder, { recursive: true }));

let made = 0;
const address = () => `guest${++made}.mail@example.test`;

/** An owner whose welcome mail counts as sent, so that only invitations are unsent. */
async function owner(): Promise<Member> {
  const ada = await here.owner();
  await here.db.sql("update app.mails set sent_at = now() where organisation_id = $1", [ada.organisation.id]);
  return ada;
}
const invite = async (ada: Member, body: Json = {}) =>
  expectAnswer("create_invitation", await ada.post("/invitations", { email: address(), ...body }));
const resend = async (ada: Member, { id }: Json) =>
  expectAnswer("resend_invitation", await ada.post(`/invitations/${id}/resend`));

/** Runs a worker until nothing is left to be sent. */
async function sendAll(settings: Record<string, string> = {}): Promise<void> {
  const worker = await testWorker(here.db, { DATA_DIR: folder, BASE_URL: baseUrl, ...settings });
  await allSent(here.db).finally(() => worker.stop());
}
const files = () => (existsSync(join(folder, "mail")) ? readdirSync(join(folder, "mail")) : []);
const linkIn = (words: string) => words.match(/https:\/\/bots\.example\.test\/invitation\/\S+/g) ?? [];
const opened = (link: string | undefined) => fetch(`${link}`.replace(baseUrl, here.api.url));

test("the mail names inviter, organisation, role and expiry, has a working link, and nothing else", async () => {
  const ada = await owner();
  await makeMember(here.db, ada.organisation.id, "admin");
  await here.db.sql("update app.organisations set name = 'Café Zürich' where id = $1", [ada.organisation.id]);
  const smtp = await startSmtp();
  const row = await invite(ada, { role: "admin" });
  await sendAll({ SMTP_URL: smtp.url, MAIL_FROM: "Bots <bots@example.test>" }).finally(smtp.close);
  expect(smtp.messages.map(({ from, to }) => [from, to])).toEqual([["bots@example.test", [row.email]]]);
  const source = smtp.messages[0]?.source ?? "";
  expect(source).toMatch(new RegExp(`^To: ${row.email}\\r$`, "m"));
  expect(source).not.toMatch(/^(cc|bcc|reply-to):/im);
  const words = wordsOf(source);
  const [link] = linkIn(words);
  expect(link).toMatch(/\/invitation\/bsi_[0-9A-Za-z]{49}$/);
  expect(words).toBe(
    [
      "Hello,",
      "",
      '"Olga Owner" invites you to join the organisation "Café Zürich" on Botstead',
      "as an admin.",
      "",
      "Read and accept the invitation here:",
      "",
      link,
      "",
      `The link is personal, works once, and ends on ${row.expiresAt.slice(0, 10)} at ${row.expiresAt.slice(11, 16)} UTC.`,
      "If you did not expect this mail, there is nothing to do.",
    ].join("\n"),
  );
  // Nothing else of the organisation: no member's address and no id.
  for (const hidden of [ada.organisation.id, ada.organisation.email, ada.organisation.ownerId, row.id]) {
    expect(source).not.toContain(hidden);
  }
  const page = await opened(link);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Join Café Zürich")]);
});

test("without SMTP each invitation is one file, and the sealed token is deleted once sent", async () => {
  const ada = await owner();
  const rows = [await invite(ada), await invite(ada), await invite(ada)];
  const sealed = () =>
    here.db.sql("select from app.mails where organisation_id = $1 and token_sealed is not null", [ada.organisation.id]);
  expect(await sealed()).toHaveLength(3);
  await sendAll();
  expect(await sealed()).toEqual([]);
  const sources = files().map((file) => readFileSync(join(folder, "mail", file), "utf8"));
  const recipients = sources.map((source) => source.match(/^To: (.*)$/m)?.[1]?.trim());
  expect(recipients.toSorted()).toEqual(rows.map(({ email }) => email).toSorted());
  const links = sources.flatMap((source) => linkIn(wordsOf(source)));
  expect(new Set(links).size).toBe(3);
  for (const link of links) expect((await opened(link)).status).toBe(200);
});

test("resending sends one more mail and invalidates the earlier link", async () => {
  const ada = await owner();
  const smtp = await startSmtp();
  const row = await invite(ada);
  await sendAll({ SMTP_URL: smtp.url });
  await resend(ada, row);
  await sendAll({ SMTP_URL: smtp.url }).finally(smtp.close);
  expect(smtp.messages.map(({ to }) => to)).toEqual([[row.email], [row.email]]);
  const [first, second] = smtp.messages.map(({ source }) => linkIn(wordsOf(source))[0]);
  expect((await opened(first)).status).toBe(404);
  expect((await opened(second)).status).toBe(200);
});

test("a waiting mail is not sent after its invitation was resent or revoked", async () => {
  const ada = await owner();
  const [again, revoked, kept] = [await invite(ada), await invite(ada), await invite(ada)];
  await resend(ada, again);
  await resend(ada, again);
  await ada.delete(`/invitations/${revoked.id}`);
  const jobs = await here.db.sql("select from graphile_worker.jobs where task_identifier = 'send_mail'");
  expect(jobs.length).toBeGreaterThanOrEqual(5); // of those withdrawn too: they find nothing
  const smtp = await startSmtp();
  await sendAll({ SMTP_URL: smtp.url }).finally(smtp.close);
  expect(smtp.messages.map(({ to }) => to[0]).toSorted()).toEqual([again.email, kept.email].toSorted());
  for (const { source } of smtp.messages) expect((await opened(linkIn(wordsOf(source))[0])).status).toBe(200);
});

test("a refused or rolled-back invitation sends no mail", async () => {
  const ada = await owner();
  const email = address();
  await invite(ada, { email });
  expect((await ada.post("/invitations", { email })).status).toBe(409);
  const post = (body: Json) => ({ method: "POST", path: "/invitations", body });
  const undone = { atomic: true, operations: [post({ email: address() }), post({ email })] };
  expect((await ada.post("/batch", undone)).body.results.map(({ status }: Json) => status)).toEqual([409, 409]);
  await sendAll();
  expect(files()).toHaveLength(1);
});

test("after refusals of the mail server, the mail arrives once, with the original link", async () => {
  const ada = await owner();
  let refusals = 0;
  const smtp = await startSmtp(() => {
    refusals += 1;
    return refusals <= 2;
  });
  const worker = await testWorker(here.db, { DATA_DIR: folder, BASE_URL: baseUrl, SMTP_URL: smtp.url });
  try {
    const row = await invite(ada);
    await eventually(async () => {
      // The queue waits longer after each refusal; the test does not.
      await here.db.sql("update graphile_worker._private_jobs set run_at = now() where locked_at is null");
      return smtp.messages.length > 0;
    });
    await allSent(here.db);
    expect(refusals).toBe(3);
    expect(smtp.messages.map(({ to }) => to)).toEqual([[row.email]]);
    expect((await opened(linkIn(wordsOf(smtp.messages[0]?.source ?? ""))[0])).status).toBe(200);
  } finally {
    await worker.stop();
    await smtp.close();
  }
});

describe("a mail that a worker has leased", () => {
  const queueAtOnce = () =>
    here.db.sql("update graphile_worker._private_jobs set run_at = now() where locked_at is null");
  const jobs = () => here.db.sql("select from graphile_worker.jobs where task_identifier = 'send_mail'");

  test("counts towards the hourly five of its address, also if its link is renewed before the server accepts", async () => {
    const ada = await owner();
    const releases: (() => void)[] = [];
    const smtp = await startSmtp(undefined, () => new Promise((resolve) => void releases.push(resolve)));
    const worker = await testWorker(here.db, { DATA_DIR: folder, BASE_URL: baseUrl, SMTP_URL: smtp.url });
    try {
      const row = await invite(ada);
      for (let sent = 1; sent < 5; sent += 1) {
        await eventually(async () => releases.length === sent);
        await resend(ada, row);
      }
      await eventually(async () => releases.length === 5);
      expectRefusal(await ada.post(`/invitations/${row.id}/resend`), "quota_exceeded");
      expectAnswer("revoke_invitation", await ada.delete(`/invitations/${row.id}`));
      expectRefusal(await ada.post("/invitations", { email: row.email }), "quota_exceeded");
    } finally {
      for (const release of releases) release();
      await allSent(here.db);
      await worker.stop();
      await smtp.close();
    }
    expect(smtp.messages).toHaveLength(5);
  });

  test("is not retried by job or maintenance after a refusal, once its link has ended", async () => {
    const ada = await owner();
    let refusing = true;
    const smtp = await startSmtp(() => refusing);
    const worker = await testWorker(here.db, { DATA_DIR: folder, BASE_URL: baseUrl, SMTP_URL: smtp.url });
    try {
      const [again, revoked] = [await invite(ada), await invite(ada)];
      await eventually(async () => {
        const tried = await here.db.sql(
          "select from graphile_worker.jobs where task_identifier = 'send_mail' and attempts = 1 and locked_at is null",
        );
        return tried.length === 2;
      });
      await resend(ada, again);
      await ada.delete(`/invitations/${revoked.id}`);
      expect(await here.db.sql("select from app.mails where organisation_id = $1 and sent_at is null", [ada.organisation.id])).toHaveLength(1); // biome-ignore format: one question
      refusing = false;
      await eventually(async () => {
        await queueAtOnce();
        return (await jobs()).length === 0;
      });
      await here.db.sql("select jobs.run_maintenance()");
      await allSent(here.db);
      expect(smtp.messages.map(({ to }) => to)).toEqual([[again.email]]);
      expect((await opened(linkIn(wordsOf(smtp.messages[0]?.source ?? ""))[0])).status).toBe(200);
    } finally {
      await worker.stop();
      await smtp.close();
    }
  });

  test("is sent by another worker if the first was killed before sending", async () => {
    const ada = await owner();
    const row = await invite(ada);
    await here.db.sql("select jobs.lease_mail(organisation_id, id) from app.mails where sent_at is null");
    await here.db.sql("delete from graphile_worker._private_jobs"); // nothing is left of that worker, not even its job
    await here.db.sql("select jobs.run_maintenance()");
    const smtp = await startSmtp();
    await sendAll({ SMTP_URL: smtp.url }).finally(smtp.close);
    expect(smtp.messages.map(({ to }) => to)).toEqual([[row.email]]);
    expect((await opened(linkIn(wordsOf(smtp.messages[0]?.source ?? ""))[0])).status).toBe(200);
  });
});

test("an old unchecked name stays within its sentence, and in the body only", async () => {
  const ada = await owner();
  const name = 'Evil\r\nBcc: victim@example.test\r\n\r\nhttps://evil.example/ <b>x</b> "quoted" =?utf-8?q?Bank?=';
  await here.db.sql("alter table app.organisations disable trigger _050_refuse_unreadable_name");
  try {
    await here.db.sql("update app.organisations set name = $2 where id = $1", [ada.organisation.id, name]);
  } finally {
    await here.db.sql("alter table app.organisations enable trigger _050_refuse_unreadable_name");
  }
  const smtp = await startSmtp();
  const row = await invite(ada);
  await sendAll({ SMTP_URL: smtp.url }).finally(smtp.close);
  const [message] = smtp.messages;
  expect(message?.to).toEqual([row.email]);
  const head = message?.source.split("\r\n\r\n")[0] ?? "";
  expect(head).not.toMatch(/^bcc:/im);
  expect(head).toMatch(/^Subject: You are invited to an organisation on Botstead$/m);
  const words = wordsOf(message?.source ?? "");
  expect(words).toContain(
    "\"Evil Bcc: victim@example.test https://evil.example/ <b>x</b> 'quoted' =?utf-8?q?Bank?=\" on Botstead\nas a member.",
  );
  expect(words.split("\n")).toHaveLength(11);
});

test("the link is intact in the raw mail, also with non-ASCII names", async () => {
  for (const name of ["Harbour", "Zürich & Söhne", "港"]) {
    const ada = await owner();
    expectAnswer("rename_organisation", await ada.patch("/organisation", { name }));
    const smtp = await startSmtp();
    await invite(ada);
    await sendAll({ SMTP_URL: smtp.url, BASE_URL: `${baseUrl}/${"long/".repeat(10)}here` }).finally(smtp.close);
    const source = smtp.messages[0]?.source ?? "";
    expect(source).toMatch(/^https:\/\/bots\.example\.test\/(long\/){10}here\/invitation\/bsi_[0-9A-Za-z]{49}\r$/m);
    expect(source).toContain(`"${name}"`);
    expect(source).toMatch(
      name === "Harbour" ? /^Content-Transfer-Encoding: 7bit\r$/m : /^Content-Transfer-Encoding: 8bit\r$/m,
    );
  }
});

test("a mail to an internationalised domain uses the domain's A-labels", async () => {
  const ada = await owner();
  const smtp = await startSmtp();
  const row = await invite(ada, { email: "Nora@BÜCHER.example" });
  expect(row.email).toBe("Nora@bücher.example");
  for (const email of ["nora@bücher.example", "nora@xn--bcher-kva.example", "NORA@Bu\u0308cher.example"]) {
    expectRefusal(await ada.post("/invitations", { email }), "conflict");
  }
  for (const email of [
    "nöra@example.test",
    "nora@bücher",
    "nora@bü..example",
    "nora@bü\ncher.example",
    "nora@bücher.example/x",
    "nora@１２７.０.０.１",
    `nora@${"ü".repeat(70)}.example`,
  ]) {
    expectRefusal(await ada.post("/invitations", { email }), "invalid_request", ["body.email"]);
  }
  await sendAll({ SMTP_URL: smtp.url }).finally(smtp.close);
  expect(smtp.messages).toHaveLength(1);
  expect(smtp.messages[0]?.source).toMatch(/^To: Nora@xn--bcher-kva\.example\r$/m);
});
