/** Cards as scripts see them. (decisions: section 4.) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { raiseCard } from "../support/approvals.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";

const here = apiOfFile();

async function raised(ada: Member) {
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const { body: run } = await ada.post("/runs", { botId: bot.id, message: "Hi" });
  return { bot, run, card: await raiseCard(here.db, run.id) };
}

test("a card is read with what it proposes, and never with its link", async () => {
  const ada = await here.owner();
  const { bot, run, card } = await raised(ada);
  const shown = expectAnswer("get_approval", await ada.get(`/approvals/${card}`));
  expect(shown).toEqual({
    id: card,
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
      validTo: null,
      lawfulBasis: "legitimate_interests",
    },
    run: null,
    state: "pending",
    createdAt: expect.any(String),
    expiresAt: expect.any(String),
    answeredAt: null,
  });
  expect(expectAnswer("list_approvals", await ada.get("/approvals")).data).toEqual([shown]);
});

test("cards are listed by run and by state, as time has it", async () => {
  const ada = await here.owner();
  const [one, two] = [await raised(ada), await raised(ada)];
  await here.db.sql("update app.approvals set expires_at = now() where id = $1", [one.card]);
  const ids = async (query: string) =>
    expectAnswer("list_approvals", await ada.get(`/approvals${query}`)).data.map(({ id }: { id: string }) => id);
  expect(await ids("")).toEqual([two.card, one.card]);
  expect(await ids("?state=pending")).toEqual([two.card]);
  expect(await ids("?state=expired")).toEqual([one.card]);
  expect(await ids(`?runId=${one.run.id}`)).toEqual([one.card]);
  expect(await ids(`?runId=${one.run.id}&state=pending`)).toEqual([]);
});

test("a card is there for its person alone, an admin beside them or not", async () => {
  const ada = await here.owner();
  const { card } = await raised(ada);
  const colleague = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
  for (const other of [colleague, await here.owner()]) {
    expectRefusal(await other.get(`/approvals/${card}`), "not_found");
    expect((await other.get("/approvals")).body.data).toEqual([]);
  }
  expectAnswer("get_approval", await ada.get(`/approvals/${card}`));
});
