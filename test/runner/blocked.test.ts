/** Blocked runs, and how their person resumes them. (docs/specification/runs.md#resuming) */
import type { Pool } from "pg";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { makeKey, makeMember } from "../support/database.ts";
import { leased, workplace } from "../support/hand-executor.ts";
import { officeOfFile } from "../support/post-office.ts";

let pool: Pool;
const office = officeOfFile();
beforeAll(async () => {
  pool = office.db.poolAs("runner");
});

const states = ["queued", "running", "waiting_approval", "paused_limit", "completed", "failed", "cancelled"];

/** A run that recorded a step and then blocked. */
async function blocked() {
  const at = await workplace(office, pool);
  const id = await at.who.run("Book the harbour for the 3rd or the 5th.");
  const run = await leased(at.executor);
  await at.executor.step(run, 7);
  expect(await at.executor.block(run, "Which of the two?")).toBe("blocked");
  const resume = (body: Json = {}) => at.who.ask("POST", `/runs/${id}/resume`, body, "mayFail");
  const row = async () => (await at.who.ask("GET", `/runs/${id}`)).body;
  const said = async () =>
    ((await at.who.ask("GET", `/runs/${id}/messages`)).body.data as Json[])
      .map(({ author, text }) => [author, text])
      .reverse();
  return { ...at, id, run, resume, row, said };
}

test("block stores the reason, keeps the steps, and ends the lease", async () => {
  const at = await blocked();
  expect(await at.row()).toMatchObject({
    state: "blocked",
    steps: 1,
    spendMicroCents: 7,
    error: null,
    finishedAt: null,
  });
  expect(await at.said()).toEqual([
    ["person", "Book the harbour for the 3rd or the 5th."],
    ["bot", "Which of the two?"],
  ]);
  await expect(at.executor.step(at.run)).rejects.toMatchObject({ code: "OA002" });
  expect(await at.executor.lease()).toBeNull();
  const next = await at.who.run("Something else"); // a blocked run holds back no other run
  expect((await leased(at.executor)).runId).toBe(next);
});

test("resume_run with a message continues a blocked run, and its executor gets all messages", async () => {
  const at = await blocked();
  const resumed = expectAnswer("resume_run", await at.resume({ message: "The 3rd." }));
  expect(resumed).toMatchObject({ id: at.id, state: "queued", steps: 1, taint: false });
  const again = await leased(at.executor);
  expect(again).toMatchObject({ runId: at.id, steps: 1, message: "Book the harbour for the 3rd or the 5th." });
  expect(again.messages.map(({ author, text }) => [author, text])).toEqual([
    ["person", "Book the harbour for the 3rd or the 5th."],
    ["bot", "Which of the two?"],
    ["person", "The 3rd."],
  ]);
  await at.executor.finish(again, "Booked for the 3rd.");
  expect(await at.row()).toMatchObject({ state: "completed", steps: 1, spendMicroCents: 7 });
});

test("resume_run without a message continues a blocked run", async () => {
  const at = await blocked();
  expectAnswer("resume_run", await at.resume());
  expect(await at.said()).toHaveLength(2);
  expect((await leased(at.executor)).runId).toBe(at.id);
});

test("a resumed run is leased before runs that were started after it", async () => {
  const at = await blocked();
  const later = await at.who.run("Later");
  await at.resume();
  expect((await leased(at.executor)).runId).toBe(at.id);
  expect(await at.executor.lease()).toBeNull(); // the later run waits again
  await at.who.ask("POST", `/runs/${at.id}/cancel`);
  expect((await leased(at.executor)).runId).toBe(later);
});

test("resume_run with an untrusted message taints the run for good", async () => {
  const at = await blocked();
  expect(expectAnswer("resume_run", await at.resume({ message: "They say the 5th.", untrusted: true })).taint).toBe(
    true,
  );
  const again = await leased(at.executor);
  expect(again.taint).toBe(true);
  expect([again.capabilities, at.run.capabilities]).toEqual([
    ["recall", "ask_approval", "block", "propose"],
    ["recall", "ask_approval", "block", "remember", "start_run"],
  ]);
  await at.executor.block(again);
  expect(expectAnswer("resume_run", await at.resume({ message: "Go." })).taint).toBe(true);
});

test.each(states)("resume_run of a run that is %s returns conflict", async (state) => {
  const at = await workplace(office, pool);
  const id = await at.who.run();
  if (!["queued", "paused_limit"].includes(state)) await leased(at.executor);
  if (!["queued", "running"].includes(state)) {
    await office.db.sql("update app.runs set state = $2 where id = $1", [id, state]);
  }
  const refused = await at.who.ask("POST", `/runs/${id}/resume`, { message: "Go on." }, "mayFail");
  expectRefusal(refused, "conflict");
  const after = (await at.who.ask("GET", `/runs/${id}/messages`)).body.data;
  expect([(await at.who.ask("GET", `/runs/${id}`)).body.state, after.length]).toEqual([state, 1]);
});

test("resume_run is refused to another admin, to a read key and to another organisation", async () => {
  const at = await blocked();
  const organisation = at.who.organisation.id;
  const colleague = await makeKey(office.db, organisation, await makeMember(office.db, organisation, "admin"));
  const reader = await makeKey(office.db, organisation, at.who.organisation.ownerId, "read");
  const other = await workplace(office, pool);
  const by = (key: string) => office.api.call("POST", `/runs/${at.id}/resume`, { key, body: { message: "Go." } });
  expectRefusal(await by(colleague.text), "forbidden");
  expectRefusal(await by(reader.text), "unauthenticated");
  expectRefusal(await other.who.ask("POST", `/runs/${at.id}/resume`, {}, "mayFail"), "not_found");
  expect(await at.row()).toMatchObject({ state: "blocked" });
  expect(await at.said()).toHaveLength(2);
});

test("of eight concurrent resume_run calls one succeeds", async () => {
  const at = await blocked();
  const answers = await Promise.all(Array.from({ length: 8 }, () => at.resume({ message: "Go." })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
  expect(await at.said()).toHaveLength(3);
});

test("block of a run past its working time fails the run", async () => {
  const at = await workplace(office, pool);
  const id = await at.who.run();
  const run = await leased(at.executor);
  await office.db.sql("update app.runs set working_since = clock_timestamp() - interval '601 seconds' where id = $1", [
    id,
  ]);
  expect(await at.executor.block(run)).toBe("failed");
  expect((await at.who.ask("GET", `/runs/${id}`)).body).toMatchObject({
    state: "failed",
    error: { code: "budget_time" },
  });
});
