/** A load of run starts checks every response, including responses that the client hides by retrying. */
import { startLoad } from "../fault/load.ts";
import { oddAnswers } from "../fault/noted-fetch.ts";
import {
  answers,
  hangsUp,
  refuses,
  type ScriptedServer,
  type Step,
  startScriptedServer,
} from "../support/scripted-server.ts";

let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

const accepts = answers(202, { id: "a-run" });
const page =
  (status: number): Step =>
  (_request, response) =>
    response.writeHead(status).end("<html>Sorry.</html>");

/** Responses of this server until a run is acknowledged, and the result of the load. */
async function ending(...script: Step[]): Promise<{ answers: string[]; odd: number; ended: string }> {
  server.script.push(...script, accepts);
  const acknowledged: string[] = [];
  const load = startLoad(server.url, [{ key: "bsk_test", bot: "a-bot" }], acknowledged);
  await load.untilMore(1);
  const ended = await load.stop().then(
    () => "well",
    (error: Error) => error.message,
  );
  expect(acknowledged).toContain("a-run");
  const answers = load.answers.map(({ status, code }) => `${status} ${code ?? ""}`.trim());
  return { answers: answers.slice(0, script.length + 1), odd: oddAnswers(load.answers).length, ended };
}

test("interrupted calls and retryable refusals are expected", async () => {
  const { answers, odd, ended } = await ending(hangsUp, refuses("unavailable"), refuses("idempotency_in_progress"));
  expect(answers).toEqual(["0", "503 unavailable", "409 idempotency_in_progress", "202"]);
  expect([odd, ended]).toEqual([0, "well"]);
});

test.each([
  ["a page that is not ours", page(503), "503 unreadable"],
  [
    "our envelope with another sentence",
    answers(503, { error: { code: "unavailable", message: "No." } }),
    "503 unreadable",
  ],
  ["our envelope under another status", answers(502, { error: { code: "unavailable" } }), "502 unreadable"],
  ["a refusal that nothing explains", refuses("rate_limited", { "retry-after": "0" }), "429 rate_limited"],
])("the load reports %s, although a retry succeeds", async (_story, step, as) => {
  const { answers, ended } = await ending(step);
  expect(answers[0]).toBe(as);
  expect(ended).toBe(`Callers got unexpected responses: ${as}.`);
});
