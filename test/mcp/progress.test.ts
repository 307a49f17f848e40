/** Progress notifications of a call that waits for a run. (docs/mcp.md#calls) */
import type { Pool } from "pg";
import { apiOfFile } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { connectAgent } from "../support/mcp.ts";
import { watchedRun } from "../support/watched.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
let pool: Pool;
beforeAll(() => {
  pool = here.db.poolAs("runner");
});

type Progress = { progress: number; message?: string | undefined };
const waitFor = (id: string) => ({
  name: "call_read_operation",
  arguments: { name: "get_run", arguments: { id, wait: 20 } },
});

test("get_run with wait and a progress token reports the preview of the answer, and returns the ended run", async () => {
  const ada = await here.owner();
  const { id, executor, begin } = await watchedRun(here, pool, ada);
  const run = await begin();
  const { client } = await connectAgent(here.api.url, ada.key.text);
  const heard: Progress[] = [];
  const call = client.callTool(waitFor(id), undefined, { onprogress: (progress) => heard.push(progress) });
  await eventually(async () => {
    await executor.delta(run, 0, "Nine ");
    return heard.length > 0;
  });
  await executor.delta(run, 5, "fathoms.");
  await eventually(async () => heard.at(-1)?.message === "Nine fathoms.");
  await executor.finish(run, "Nine fathoms.");
  expect((await call).structuredContent).toMatchObject({ status: 200, body: { id, state: "completed" } });
  expect(heard.every(({ progress }, index) => progress > (heard[index - 1]?.progress ?? 0))).toBe(true);
});

test("another admin's wait with a progress token reports nothing of the answer", async () => {
  const ada = await here.owner();
  const bea = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
  const { id, executor, begin } = await watchedRun(here, pool, ada);
  const run = await begin();
  const heard: { of: string; message: string | undefined }[] = [];
  const calls = await Promise.all(
    [ada, bea].map(async (who) => {
      const { client } = await connectAgent(here.api.url, who.key.text);
      const onprogress = ({ message }: Progress) => void heard.push({ of: who === ada ? "Ada" : "Bea", message });
      return { ended: client.callTool(waitFor(id), undefined, { onprogress }) };
    }),
  );
  await eventually(async () => {
    await executor.delta(run, 0, "canary");
    return heard.length > 0;
  });
  await executor.finish(run);
  await Promise.all(calls.map(({ ended }) => ended));
  expect(new Set(heard.map(({ of }) => of))).toEqual(new Set(["Ada"]));
});

test.each([
  ["without a token", {}, "application/json, text/event-stream"],
  ["from a client that accepts no events", { _meta: { progressToken: 1 } }, "application/json"],
])("get_run with wait %s is answered as JSON, without a notification", async (_name, meta, accept) => {
  const ada = await here.owner();
  const { id, executor, begin } = await watchedRun(here, pool, ada);
  const run = await begin();
  const response = fetch(`${here.api.url}/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${ada.key.text}`, "content-type": "application/json", accept },
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { ...waitFor(id), ...meta } }),
  });
  await executor.delta(run, 0, "canary");
  await executor.finish(run, "Done.");
  const answer = await response;
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  const text = await answer.text();
  expect(JSON.parse(text).result.structuredContent.body.state).toBe("completed");
  expect(text).not.toContain("canary");
});
