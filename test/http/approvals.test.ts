/** Approvals in the API. (docs/specification/approvals.md#visibility) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { raiseApproval } from "../support/approvals.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";

const here = apiOfFile();

async function raised(ada: Member) {
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const { body: run } = await ada.post("/runs", { botId: bot.id, message: "Hi" });
  return { bot, run, approval: await raiseApproval(here.db, run.id) };
}

test("get_approval returns the proposed memory and never the link", async () => {
  const ada = await here.owner();
  const { bot, run, approval } = await raised(ada);
  const shown = expectAnswer("get_approval", await ada.get(`/approvals/${approval}`));
  expect(shown).toEqual({
    id: approval,
    runId: run.id,
    botId: bot.id,
    conversationId: run.conversationId,
    kind: "memory",
    question: null,
    reason: null,
    memory: {
      scope: "organisation",
      kind: "policy",
      subject: "Harbour",
      subjectKind: "organisation",
      value: "The harbour closes at nine.",
      confidence: 1,
      validFrom: null,
      validTo: null,
      supersedes: null,
      lawfulBasis: "legitimate_interests",
    },
    run: null,
    state: "pending",
    createdAt: expect.any(String),
    expiresAt: expect.any(String),
    answeredAt: null,
    comment: null,
  });
  expect(expectAnswer("list_approvals", await ada.get("/approvals")).data).toEqual([shown]);
});

test("list_approvals filters by run and by state, with expiry computed from the current time", async () => {
  const ada = await here.owner();
  const [one, two] = [await raised(ada), await raised(ada)];
  await here.db.sql("update app.approvals set expires_at = now() where id = $1", [one.approval]);
  const ids = async (query: string) =>
    expectAnswer("list_approvals", await ada.get(`/approvals${query}`)).data.map(({ id }: { id: string }) => id);
  expect(await ids("")).toEqual([two.approval, one.approval]);
  expect(await ids("?state=pending")).toEqual([two.approval]);
  expect(await ids("?state=expired")).toEqual([one.approval]);
  expect(await ids(`?runId=${one.run.id}`)).toEqual([one.approval]);
  expect(await ids(`?runId=${one.run.id}&state=pending`)).toEqual([]);
});

test("get_approval returns 404 to everyone but the approval's person, admins included", async () => {
  const ada = await here.owner();
  const { approval } = await raised(ada);
  const colleague = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
  for (const other of [colleague, await here.owner()]) {
    expectRefusal(await other.get(`/approvals/${approval}`), "not_found");
    expect((await other.get("/approvals")).body.data).toEqual([]);
  }
  expectAnswer("get_approval", await ada.get(`/approvals/${approval}`));
});

test("resend_approval mails the same person again, five mails a day, and only while the approval is pending", async () => {
  const ada = await here.owner();
  const { approval } = await raised(ada);
  const recipients = async () =>
    (
      await here.db.sql<{ recipient: string }>(
        "select recipient from app.mails where kind = 'approval' and data ->> 'approvalId' = $1",
        [approval],
      )
    ).map(({ recipient }) => recipient);
  const path = `/approvals/${approval}/resend`;
  expectAnswer("resend_approval", await ada.post(path));
  const first = await recipients();
  expect(first).toEqual([ada.organisation.email, ada.organisation.email]);
  for (let mail = 0; mail < 3; mail += 1) expect((await ada.post(path)).status).toBe(200);
  expect((await ada.post(path)).headers.get("x-botstead-reason")).toBe("approval_mailed");
  expect(await recipients()).toHaveLength(5);
  const admin = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
  expectRefusal(await admin.post(path), "not_found");
  await here.db.sql("update app.approvals set expires_at = now() where id = $1", [approval]);
  expect((await ada.post(path)).headers.get("x-botstead-reason")).toBe("approval_not_pending");
});
