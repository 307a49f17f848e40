/** Retries of runs of models, which continue with the results of the run that ended. */
import { withModelServer } from "../support/model-fixture.ts";
import { calls, json, says } from "../support/model-server.ts";
import { memoriesOfRun } from "../support/stored.ts";

const at = withModelServer();

const note = { scope: "bot", kind: "fact", subject: "The pier", value: "The pier is painted blue." };
const question = { question: "May I book the pier?", reason: "It costs 200 euros." };

test("a retry after the answered question neither pays for the turn nor asks again", async () => {
  const bot = await at.bot([
    calls(["remember", note], ["ask_person", question]),
    json(403, { error: { message: "no" } }),
    says("So be it."),
  ]);
  const { id } = await bot.worked();
  await at.office.db.sql("update app.approvals set state = 'approved', answered_at = now() where run_id = $1", [id]);
  let executor = await bot.executor();
  const failed = await bot.until(id, "failed");
  await executor.stop();
  expect(failed.steps).toBe(6); // recall, model, remember, ask_person, its answer, and the turn that failed
  executor = await bot.executor();
  const retry = (await bot.who.ask("POST", `/runs/${id}/retry`, { fromStep: 6 })).body;
  const ended = await bot.until(retry.id, "completed");
  await executor.stop();
  expect(ended.steps).toBe(6);
  expect(bot.requests()).toHaveLength(3);
  const answers = bot.requests()[2]?.messages.flatMap((each) => (each.role === "tool" ? [each.content] : []));
  expect(answers).toEqual(["It is stored.", '{"answer":"yes"}']);
  expect(await memoriesOfRun(at.office.db, id)).toHaveLength(1);
  expect(await memoriesOfRun(at.office.db, retry.id)).toEqual([]);
  const approvals = await at.office.db.sql("select from app.approvals where organisation_id = $1", [
    bot.who.organisation.id,
  ]);
  expect(approvals).toHaveLength(1);
});
