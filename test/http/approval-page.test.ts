/** The approval page: its HTTP responses, and the effect of an answer. (docs/specification/approvals.md#answering) */
import type { Pool } from "pg";
import { answerPage } from "../../examples/tour/browser.ts";
import { makeCredential } from "../../src/secrets/credentials.ts";
import { testApi } from "../support/api.ts";
import { linkOf, press } from "../support/approvals.ts";
import { makeMember } from "../support/database.ts";
import { leased, type WorkInProgress, workInProgress } from "../support/hand-executor.ts";
import { expectHeadersOfMailedPage } from "../support/mailed-page.ts";
import { officeOfFile } from "../support/post-office.ts";
import { memoriesOfRun } from "../support/stored.ts";

let pool: Pool;
const office = officeOfFile();
beforeAll(async () => {
  pool = office.db.poolAs("runner");
});

const newMemory = { scope: "organisation", kind: "policy", subject: "Harbour", value: "The harbour closes at nine." };

type PendingApproval = WorkInProgress & { approval: string; token: string };

/** A run that waits for the answer to its question. */
async function question(untrusted = false): Promise<PendingApproval> {
  const at = await workInProgress(office, pool, { untrusted });
  const approval = await at.executor.ask(at.run, "May I write to them?", "They asked for it.");
  return { ...at, approval, token: await linkOf(office.db, approval) };
}

/** A memory that a tainted run proposed before it finished. */
async function proposal(memory: object = newMemory): Promise<PendingApproval> {
  const at = await workInProgress(office, pool, { untrusted: true });
  const { approvalId: approval = "" } = await at.executor.propose(at.run, memory);
  await at.executor.finish(at.run);
  return { ...at, approval, token: await linkOf(office.db, approval) };
}

const look = (token: string) => fetch(`${office.api.url}/approval/${token}`);
const stateOf = async (id: string) =>
  (await office.db.sql<{ state: string }>("select state from app.approvals where id = $1", [id]))[0]?.state;
const runState = async ({ who, run }: PendingApproval) =>
  (await who.ask("GET", `/runs/${run.runId}`)).body.state as string;
const memoriesOf = ({ run }: PendingApproval) => memoriesOfRun(office.db, run.runId);

test("The approval page, any status, forbids caching, referrers and foreign content by its headers", async () => {
  const { token } = await question();
  const pages = [
    await look(token),
    await look("nothing"),
    await fetch(`${office.api.url}/approval/${token}`, { method: "POST" }),
  ];
  expect(pages.map(({ status }) => status)).toEqual([200, 404, 400]);
  for (const { headers } of pages) expectHeadersOfMailedPage(headers);
});

test("GET and HEAD of the approval page answer nothing, as when a mail scanner follows the link", async () => {
  const at = await question();
  for (const method of ["GET", "HEAD", "GET"]) {
    for (const query of ["", "?answer=approved"]) {
      expect((await fetch(`${office.api.url}/approval/${at.token}${query}`, { method })).status).toBe(200);
    }
  }
  expect([await stateOf(at.approval), await runState(at)]).toEqual(["pending", "waiting_approval"]);
});

test("The approval page shows the same 404 for a malformed token, an API key, another class of token and an unknown token", async () => {
  const { who, token } = await question();
  const key = (await who.ask("POST", "/keys", { name: "Mine", scope: "admin" })).body.key;
  const pages = [];
  for (const wrong of ["x", "bsa_short", key, makeCredential("bsi").text, makeCredential("bsa").text, "%00"]) {
    const page = await look(wrong);
    pages.push([page.status, await page.text()]);
    expect((await press(office.api, wrong, "approved")).status).toBe(404);
  }
  expect(pages[0]).toEqual([404, expect.stringContaining("This link leads to no approval")]);
  for (const page of pages) expect(page).toEqual(pages[0]);
  expect((await look(token)).status).toBe(200);
});

test("No API key answers an approval, and the API refuses the link's token as a key", async () => {
  const at = await question();
  const mine = (await at.who.ask("POST", "/keys", { name: "Mine", scope: "admin" })).body.key;
  for (const path of [`/approval/${at.token}`, `/approvals/${at.approval}`]) {
    const body = { answer: "approved" };
    const { status } = await office.api.call("POST", path, { key: mine, body });
    expect([404, 405]).toContain(status);
  }
  for (const path of ["/me", "/approvals", `/approvals/${at.approval}`]) {
    expect((await office.api.call("GET", path, { key: at.token })).status).toBe(401);
  }
  expect(await stateOf(at.approval)).toBe("pending");
});

test.each([
  ["approved", "Approved", "the run continues"],
  ["refused", "Refused", "The run continues with your answer"],
] as const)("Answering a question with %s lets its run continue", async (answer, heading, words) => {
  const at = await question();
  const page = await press(office.api, at.token, answer);
  expect([page.status, page.html]).toEqual([200, expect.stringContaining(`<h1>${heading}</h1>`)]);
  expect(page.html).toContain(words);
  expect(page.html).not.toContain("<form");
  expect((await leased(at.executor)).approvals).toEqual([expect.objectContaining({ id: at.approval, state: answer })]);
  expect((await at.who.ask("GET", `/approvals/${at.approval}`)).body).toMatchObject({
    state: answer,
    answeredAt: expect.any(String),
  });
});

test("After an answer the approval page leads to APPLICATION_URL, and without it says that the page can be closed", async () => {
  const api = await testApi(office.db, { APPLICATION_URL: "https://app.example.com/" });
  try {
    const link = '<a href="https://app.example.com/">Go to the application</a>';
    expect((await press(api, (await question()).token, "refused")).html).toContain(link);
    expect((await press(office.api, (await question()).token, "refused")).html).toContain("You can close this page.");
  } finally {
    await api.stop();
  }
});

test.each(["approved", "refused"] as const)(
  "An answer %s keeps its comment for the run and its person",
  async (answer) => {
    const at = await question();
    const comment = "Only until Friday.\r\n  <b>Then</b> ask again. ";
    const kept = "Only until Friday.\n  <b>Then</b> ask again.";
    const page = await press(office.api, at.token, answer, comment);
    expect(page.html).toContain("Only until Friday.\n  &lt;b&gt;Then&lt;/b&gt; ask again.");
    expect((await at.who.ask("GET", `/approvals/${at.approval}`)).body).toMatchObject({ state: answer, comment: kept });
    expect((await leased(at.executor)).approvals).toEqual([expect.objectContaining({ state: answer, comment: kept })]);
    const entries = await at.who.ask("GET", `/audit?resource=approval&resourceId=${at.approval}&action=updated`);
    const [entry] = entries.body.data.filter(({ changed }: { changed: string[] }) => changed.includes("state"));
    expect(entry.changed).toContain("comment");
    expect(JSON.stringify(entries.body)).not.toContain("Friday");
  },
);

test.each([
  ["1,000 characters of 4 bytes", "\u{1F40B}".repeat(1000), 200],
  ["1,001 characters", "x".repeat(1001), 400],
  ["U+0000", "a\0b", 400],
  ["spaces only", "  \r\n ", 200],
])("A comment of %s is answered with its status", async (_, comment, status) => {
  const at = await question();
  expect((await press(office.api, at.token, "approved", comment)).status).toBe(status);
  expect(await stateOf(at.approval)).toBe(status === 200 ? "approved" : "pending");
  const [stored] = await office.db.sql("select comment from app.approvals where id = $1", [at.approval]);
  expect(stored).toEqual({ comment: status === 200 && comment.trim() ? comment : null });
});

test("A refused answer keeps the comment in the form, and stores nothing", async () => {
  const at = await proposal({ ...newMemory, subjectKind: "third_party", kind: "tide" });
  await office.db.sql("insert into app.third_party_restrictions (organisation_id, kind) values ($1, 'tide')", [
    at.who.organisation.id,
  ]);
  const page = await press(office.api, at.token, "approved", "It is <well> known.");
  expect([page.status, page.html]).toEqual([403, expect.stringContaining("It is &lt;well&gt; known.</textarea>")]);
  expect((await at.who.ask("GET", `/approvals/${at.approval}`)).body).toMatchObject({
    state: "pending",
    comment: null,
  });
});

test("PostgreSQL refuses a comment without an answer", async () => {
  const at = await question();
  const write = office.db.sql("update app.approvals set comment = 'Early' where id = $1", [at.approval]);
  await expect(write).rejects.toMatchObject({ code: "23514" });
});

test("answerPage without a browser submits the form of the approval page", async () => {
  const at = await question();
  const log = await answerPage(`${office.api.url}/approval/${at.token}`, ["/no/browser/here"]);
  expect(log).toEqual([expect.stringContaining("the tour posts the form of the page: the page says Approved.")]);
  expect(await stateOf(at.approval)).toBe("approved");
  await expect(answerPage(`${office.api.url}/approval/nothing`, [])).rejects.toThrow(
    "the page says that it is approved",
  );
});

test("Approving a proposed memory records it as tainted, created by the approver", async () => {
  const at = await proposal();
  expect((await press(office.api, at.token, "approved")).status).toBe(200);
  const [landed, ...others] = await memoriesOf(at);
  expect(others).toEqual([]);
  expect(landed).toMatchObject({
    ...newMemory,
    provenance: "run-tainted",
    source: "run",
    created_by: at.who.organisation.ownerId,
  });
  expect((await at.who.ask("PATCH", `/memories/${landed?.id}`, { value: "Ten" })).body.provenance).toBe("run-tainted");
});

test("Refusing a proposed memory records nothing", async () => {
  const at = await proposal();
  expect((await press(office.api, at.token, "refused")).status).toBe(200);
  expect([await memoriesOf(at), await stateOf(at.approval)]).toEqual([[], "refused"]);
});

test("A second answer to an approval shows the first and changes nothing", async () => {
  const at = await proposal();
  await press(office.api, at.token, "refused");
  const late = await press(office.api, at.token, "approved");
  expect([late.status, late.html]).toEqual([200, expect.stringContaining("<h1>Refused</h1>")]);
  expect(await memoriesOf(at)).toEqual([]);
});

test("The approval page without a pressed button shows an alert and accepts a later answer", async () => {
  const at = await question();
  const wrong = await fetch(`${office.api.url}/approval/${at.token}`, {
    method: "POST",
    body: new URLSearchParams({ answer: "perhaps" }),
  });
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('role="alert"')]);
  expect((await press(office.api, at.token, "approved")).status).toBe(200);
});

describe("Approving a memory that is no longer allowed", () => {
  const stories: [string, number, object, string][] = [
    [
      "its kind has since been restricted for third parties",
      403,
      { ...newMemory, subjectKind: "third_party", kind: "tide" },
      "insert into app.third_party_restrictions (organisation_id, kind) values ($1, 'tide')",
    ],
    [
      "the approver is no longer an admin",
      403,
      newMemory,
      `with other as (insert into app.people (email) values ('other-' || uuidv7() || '@example.test') returning id),
         owner as (insert into app.memberships (organisation_id, person_id, role) select $1, id, 'owner' from other)
       select`,
    ],
  ];
  test.each(stories)(
    "is refused with an alert because %s, and the memory can still be refused",
    async (_, status, memory, change) => {
      const at = await proposal(memory);
      await office.db.sql(change, [at.who.organisation.id]);
      if (change.includes("other")) {
        await office.db.sql(
          "update app.memberships set role = 'member' where organisation_id = $1 and person_id = $2",
          [at.who.organisation.id, at.who.organisation.ownerId],
        );
      }
      const page = await press(office.api, at.token, "approved");
      expect([page.status, page.html]).toEqual([status, expect.stringContaining('role="alert"')]);
      expect([await memoriesOf(at), await stateOf(at.approval)]).toEqual([[], "pending"]);
      expect((await press(office.api, at.token, "refused")).status).toBe(200);
      expect(await stateOf(at.approval)).toBe("refused");
    },
  );
});

describe("An approval that is over", () => {
  const ends: [string, number, string, (at: PendingApproval) => Promise<unknown>, state: string][] = [
    [
      "expired",
      410,
      "Too late",
      ({ approval }) => office.db.sql("update app.approvals set expires_at = now() where id = $1", [approval]),
      "pending", // until an executor next leases a run
    ],
    ["cancelled", 410, "Withdrawn", ({ who, run }) => who.ask("POST", `/runs/${run.runId}/cancel`), "withdrawn"],
  ];
  test.each(ends)(
    "shows why and takes no answer after its run or time is %s",
    async (_, status, heading, end, state) => {
      const at = await question();
      await end(at);
      for (const page of [await press(office.api, at.token, "approved"), await look(at.token)]) {
        expect(page.status).toBe(status);
        const html = "html" in page ? page.html : await page.text();
        expect(html).toContain(`<h1>${heading}</h1>`);
        expect(html).not.toContain("<form");
      }
      expect(await stateOf(at.approval)).toBe(state);
    },
  );

  test("shows nothing and takes no answer from a person who left or no longer sees the bot", async () => {
    const changes = [
      "delete from app.memberships where organisation_id = $1 and person_id = $2 and person_id <> $3",
      "update app.bots set visibility = 'personal', owner_id = $3 where organisation_id = $1 and owner_id = $2",
    ];
    for (const change of changes) {
      const at = await proposal();
      const { id, ownerId } = at.who.organisation;
      await office.db.sql(change, [id, ownerId, await makeMember(office.db, id, "owner")]);
      for (const page of [await press(office.api, at.token, "approved"), await look(at.token)]) {
        expect(page.status).toBe(410);
        const html = "html" in page ? page.html : await page.text();
        expect(html).toContain("<h1>You cannot answer this</h1>");
        expect(html).not.toContain(newMemory.value);
      }
      expect([await memoriesOf(at), await stateOf(at.approval)]).toEqual([[], "pending"]);
    }
  });

  test("takes no answer after its bot is deleted", async () => {
    const at = await proposal();
    await at.who.ask("DELETE", `/bots/${at.who.bot}`);
    expect((await press(office.api, at.token, "approved")).status).toBe(410);
    expect(await memoriesOf(at)).toEqual([]);
  });
});
