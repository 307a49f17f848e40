/**
 * The part of the tour's way on which a person is asked: a run stops, its person answers on a page, and it goes on. The
 * tour is all three of them: the executor that asks, the person, and whoever waits for the answer.
 */
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { type Place, runningDatabase } from "../cli/database.ts";
import { urlAs } from "../database/urls.ts";
import { approvalToken } from "../secrets/approval-token.ts";
import { answerPage } from "./browser.ts";
import { type Body, type Caller, until } from "./caller.ts";
import { asTold, type Teller } from "./teller.ts";

type Asking = { api: Caller; tell: Teller; cleanUp(path: string, what: string): void };

/** Left out, and said so, where the tour is not beside the server's database. */
export async function askedAndApproved(asking: Asking): Promise<void> {
  const place = await runningDatabase().catch((error: Error) => error);
  if (place instanceof Error) {
    asking.tell.step("A run that asks a person is left out");
    asking.tell.found(`The tour would have to be its executor, beside the database. ${place.message}`);
    return;
  }
  const runner = new Client({ connectionString: urlAs("runner", place.adminUrl, place.key) });
  await runner.connect();
  try {
    await withExecutor(asking, place, runner);
  } finally {
    await runner.end();
  }
}

const message = "Tell all guests that the tour boat leaves an hour later.";
const question = "May I write to all 40 guests?";
const reason = "I was asked to tell them that the boat leaves an hour later, and a mail can't be taken back.";

async function withExecutor({ api, tell, cleanUp }: Asking, { key, config }: Place, runner: Client): Promise<void> {
  const model = `tour-${randomUUID()}`;
  const executor = randomUUID();
  const call = async (text: string, values: unknown[]): Promise<Body> =>
    (await runner.query(`select runner.${text} as answer`, values)).rows[0].answer;
  const claimed = () => until("the run can be claimed", async () => (await call("claim($1)", [executor])) ?? undefined);

  tell.step("A second bot is made, whose executor is the tour itself: runner.beat");
  const { body: bot } = await api.expect(201, "POST", "/bots", { name: "Careful guide", model });
  cleanUp(`/bots/${bot.id}`, "the careful bot");
  await call("beat($1, 'tour', $2)", [executor, [model]]);
  tell.found(`${bot.name} thinks with "${model}", and whoever says that it serves this gets its runs.`);

  try {
    tell.step("It is asked for something that it would rather not decide: POST /runs");
    const { body: run } = await api.expect(202, "POST", "/runs", { botId: bot.id, message });
    tell.found(`"${message}"`);

    tell.step("Its executor claims the run, and asks: runner.claim, runner.ask_approval");
    const { organisationId, leaseId } = await claimed();
    const lease = [organisationId, run.id, leaseId];
    const card = await call("ask_approval($1, $2, $3, $4, $5)", [...lease, question, reason]);
    const { body: waiting } = await api.expect(200, "GET", `/runs/${run.id}`);
    asTold(waiting.state === "waiting_approval", "the run waits", waiting);
    const { body: shown } = await api.expect(200, "GET", `/approvals/${card}`);
    tell.found(`"${shown.question}"`, `The run is ${waiting.state}; the card ${card} is ${shown.state}.`);

    tell.step("The person is mailed a link to a page, and answers there");
    const link = `${config.baseUrl}/approval/${approvalToken(key.sealing, card).text}`;
    await until("the link is mailed", async () => ((await fetch(link)).ok ? true : undefined));
    tell.found(
      link,
      config.smtpUrl ? "The mail went through SMTP_URL." : `The mail lies in ${config.dataDir}/mail.`,
      "No API key can answer; the tour knows the link because it runs beside the master key it is made from.",
    );
    tell.found(...(await answerPage(link)));

    tell.step("The run goes on, and whoever claims it knows the answer");
    const again = await claimed();
    const [answer] = again.approvals as Body[];
    asTold(answer?.id === card && answer.state === "approved", "the card is approved", again.approvals);
    const text = "I have written to all 40 guests.";
    await call("finish($1, $2, $3, $4)", [organisationId, run.id, again.leaseId, text]);
    const { body: finished } = await api.expect(200, "GET", `/runs/${run.id}`);
    asTold(finished.state === "completed", "the run is completed", finished);
    tell.found(`${answer.question} ${answer.state}.`, `"${text}"`, `State ${finished.state}.`);
  } finally {
    await call("leave($1)", [executor]);
  }
}
