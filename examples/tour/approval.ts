/** The steps of an approval: a run waits, its person answers on a page, the run continues. The tour is executor and person. */
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import type { Place } from "../../src/cli/database.ts";
import { urlAs } from "../../src/database/urls.ts";
import { approvalToken } from "../../src/secrets/approval-token.ts";
import { type ApiClient, type Body, until } from "./api.ts";
import { answerPage } from "./browser.ts";
import { expectThat, type Report } from "./report.ts";

type ApprovalContext = { api: ApiClient; report: Report; cleanUp(path: string, what: string): void };

export async function requestApproval({ place, ...context }: ApprovalContext & { place: Place }): Promise<void> {
  const runner = new Client({ connectionString: urlAs("runner", place.adminUrl, place.key) });
  await runner.connect();
  try {
    await withExecutor(context, place, runner);
  } finally {
    await runner.end();
  }
}

const message = "Tell all guests that the tour boat leaves an hour later.";
const question = "May I write to all 40 guests?";
const reason = "I was asked to report them that the boat leaves an hour later, and a mail can't be taken back.";

async function withExecutor(
  { api, report, cleanUp }: ApprovalContext,
  { key, config }: Place,
  runner: Client,
): Promise<void> {
  const model = `tour-${randomUUID()}`;
  const executor = randomUUID();
  const call = async (text: string, values: unknown[]): Promise<Body> =>
    (await runner.query(`select runner.${text} as answer`, values)).rows[0].answer;
  const leased = () => until("the run is leased", async () => (await call("lease_run($1)", [executor])) ?? undefined);

  report.step("Create a second bot, whose executor is the tour: runner.heartbeat");
  await call("heartbeat($1, 'tour', $2)", [executor, [model]]);
  const { body: bot } = await api.expect(201, "POST", "/bots", { name: "Second guide", model });
  cleanUp(`/bots/${bot.id}`, "the second bot");
  report.result(`${bot.name} has the model "${model}". Executors that serve this model get its runs.`);

  try {
    report.step("Start a run that needs an approval: POST /runs");
    const { body: run } = await api.expect(202, "POST", "/runs", { botId: bot.id, message });
    report.result(`"${message}"`);

    report.step("The executor leases the run and requests an approval: runner.lease_run, runner.ask_approval");
    const { organisationId, leaseId } = await leased();
    const lease = [organisationId, run.id, leaseId];
    const approvalId = await call("ask_approval($1, $2, $3, $4, $5)", [...lease, question, reason]);
    const { body: waiting } = await api.expect(200, "GET", `/runs/${run.id}`);
    expectThat(waiting.state === "waiting_approval", "the run waits", waiting);
    const { body: shown } = await api.expect(200, "GET", `/approvals/${approvalId}`);
    report.result(`"${shown.question}"`, `The run is ${waiting.state}; the approval ${approvalId} is ${shown.state}.`);

    report.step("The person gets a link by mail, and answers on the page");
    const link = `${config.baseUrl}/approval/${approvalToken(key.sealing, approvalId).text}`;
    await until("the link is mailed", async () => ((await fetch(link)).ok ? true : undefined));
    report.result(
      link,
      `The mail is in ${config.dataDir}/mail.`,
      "No API key can answer an approval. The tour derives the link from the master key.",
    );
    report.result(...(await answerPage(link)));

    report.step("The run continues, and its executor gets the answer");
    const again = await leased();
    const [answer] = again.approvals as Body[];
    expectThat(answer?.id === approvalId && answer.state === "approved", "the approval is approved", again.approvals);
    const text = "I have written to all 40 guests.";
    await call("finish($1, $2, $3, $4)", [organisationId, run.id, again.leaseId, text]);
    const { body: finished } = await api.expect(200, "GET", `/runs/${run.id}`);
    expectThat(finished.state === "completed", "the run is completed", finished);
    report.result(`${answer.question} ${answer.state}.`, `"${text}"`, `State ${finished.state}.`);
  } finally {
    await call("deregister($1)", [executor]);
  }
}
