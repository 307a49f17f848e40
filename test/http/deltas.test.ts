/** Deltas: pieces of an answer that is being written, on the stream of its run. (docs/specification/runs.md#deltas) */
import type { Pool } from "pg";
import { expectRefusal } from "../support/answers.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { expireLease, handExecutor, leased } from "../support/hand-executor.ts";
import { openSession } from "../support/portal-session.ts";
import { openStream, type Stream, type Watched, watchedRun, withWatchingApi } from "../support/watched.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
let pool: Pool;
beforeAll(() => {
  pool = here.db.poolAs("runner");
});

const watch = (who: Member, { id }: { id: string }, deltas = true, url = here.api.url) =>
  openStream(url, id, { key: who.key.text, deltas });

/** Sends the text until the stream has a delta, because the stream begins to listen a moment after its headers. */
async function untilHeard(stream: Stream, send: () => Promise<unknown>): Promise<void> {
  await eventually(async () => {
    await send();
    return stream.deltas.length > 0;
  });
}

async function begun(who: Member): Promise<Watched & { run: Awaited<ReturnType<Watched["begin"]>> }> {
  const watched = await watchedRun(here, pool, who);
  return { ...watched, run: await watched.begin() };
}

const textOf = (stream: Stream) => stream.deltas.map(({ text }) => text).join("");

test("watch_run with include=deltas sends each delta in order, without a number, and the answer in its message", async () => {
  const ada = await here.owner();
  const { id, executor, run } = await begun(ada);
  const stream = await watch(ada, { id });
  await untilHeard(stream, () => executor.delta(run, 0, "Nine "));
  const pieces = ["fathoms,\n", "“says” ", "\u0001🎉 the chart"];
  let offset = 5;
  for (const text of pieces) {
    await executor.delta(run, offset, text);
    offset += [...text].length;
  }
  await executor.finish(run, "Nine fathoms.");
  const events = await stream.ended;
  expect(stream.deltas[0]).toEqual({ attempt: 1, offset: 0, text: "Nine " });
  expect(stream.deltas.filter((delta) => delta.offset > 0).map(({ text }) => text)).toEqual(pieces);
  expect(stream.deltas.at(-1)).toEqual({ attempt: 1, offset: 21, text: "\u0001🎉 the chart" });
  expect(stream.text()).not.toMatch(/id: .*\nevent: delta/);
  expect(events.map(({ event, data }) => [event, data.text ?? data.state])).toEqual([
    ["state", "queued"],
    ["state", "running"],
    ["message", "Nine fathoms."],
    ["end", "completed"],
  ]);
});

test("watch_run without include sends no delta, and refuses an unknown include", async () => {
  const ada = await here.owner();
  const { id, executor, run } = await begun(ada);
  const [plain, other] = [await watch(ada, { id }, false), await watch(ada, { id })];
  await untilHeard(other, () => executor.delta(run, 0, "Nine "));
  await executor.finish(run);
  await plain.ended;
  expect(plain.text()).not.toContain("delta");
  expectRefusal(await ada.get(`/runs/${id}/events?include=words`), "invalid_request");
});

test("a stream that begins late gets the deltas from then on, and a restart shows as a greater attempt at offset 0", async () => {
  const ada = await here.owner();
  const { id, executor, run } = await begun(ada);
  await executor.delta(run, 0, "Nine ");
  const late = await watch(ada, { id });
  await untilHeard(late, () => executor.delta(run, 5, "fathoms"));
  expect(late.deltas[0]).toEqual({ attempt: 1, offset: 5, text: "fathoms" });
  await expireLease(here.db, id);
  const next = await leased(executor);
  await expect(executor.delta(run, 12, " deep")).rejects.toMatchObject({ code: "OA002" });
  await executor.delta(next, 0, "Ten");
  await executor.finish(next);
  await late.ended;
  expect(late.deltas.at(-1)).toEqual({ attempt: 2, offset: 0, text: "Ten" });
  expect(textOf(late)).not.toContain("deep");
});

test("only the person of the conversation gets deltas: no other admin, no session that another opened, no other organisation", async () => {
  const ada = await here.owner();
  const beaId = await makeMember(here.db, ada.organisation.id, "admin");
  const bea = await here.another(ada, "admin", beaId);
  const eve = await here.owner();
  const { id, executor, run } = await begun(bea);
  const { url } = (await ada.post("/portal-sessions", { userId: beaId })).body;
  const { cookie } = await openSession(here.api.url, url);
  const viewed = await fetch(`${here.api.url}/api/v1/runs/${id}/events?include=deltas`, { headers: { cookie } });
  expect(viewed.status).toBe(200);
  expect((await watch(eve, { id })).status).toBe(404);
  const [own, others] = [await watch(bea, { id }), await watch(ada, { id })];
  const eves = await begun(eve);
  const evesOwn = await watch(eve, eves);
  await untilHeard(evesOwn, () => eves.executor.delta(eves.run, 0, "Eve's own"));
  await untilHeard(own, () => executor.delta(run, 0, "The tin of the canary"));
  await executor.finish(run, "Done.");
  await eves.executor.finish(eves.run, "Done.");
  await Promise.all([own, others, evesOwn].map(({ ended }) => ended));
  expect(others.events.map(({ event }) => event)).toContain("end");
  expect(others.text() + evesOwn.text() + (await viewed.text())).not.toMatch(/canary/);
  expect(own.text()).not.toContain("Eve");
});

/** Ends of the access of the person to the run. */
const ways: Record<string, (ada: Member, bea: Member, bot: string) => Promise<unknown>> = {
  "the key is revoked": (ada, bea) => ada.delete(`/keys/${bea.key.id}`),
  "the person is removed": (_, { organisation }) =>
    here.db.sql("delete from app.memberships where organisation_id = $1 and role = 'admin'", [organisation.id]),
  "the bot becomes personal": (ada, _, bot) => ada.patch(`/bots/${bot}`, { visibility: "personal" }),
};

test.each(Object.keys(ways))("no delta that is sent after %s arrives, without a heartbeat", async (name) => {
  await withWatchingApi(here, { pace: { heartbeatMs: 600_000, maxDurationMs: 600_000 } }, async (api) => {
    const ada = await here.owner();
    const bea = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
    const model = `hand-${crypto.randomUUID()}`;
    const executor = await handExecutor(here.db, pool, [model]);
    const bot = (await ada.post("/bots", { name: "Ada", model, visibility: "team" })).body.id;
    const { id } = (await bea.post("/runs", { botId: bot, message: "How deep is it?" })).body;
    const run = await leased(executor);
    const stream = await watch(bea, { id }, true, api.url);
    await untilHeard(stream, () => executor.delta(run, 0, "Nine "));
    await ways[name]?.(ada, bea, bot);
    // The runs of a removed person are cancelled.
    const send = () => executor.delta(run, 5, "fathoms").catch(({ code }) => expect(code).toBe("OA002"));
    for (let round = 0; round < 20; round += 1) await send();
    await stream.ended;
    expect([name, textOf(stream).includes("fathoms")]).toEqual([name, false]);
  });
});

test("a stream gets at most 20 deltas of its run a second", async () => {
  const ada = await here.owner();
  const { id, executor, run } = await begun(ada);
  const stream = await watch(ada, { id });
  await untilHeard(stream, () => executor.delta(run, 0, "first"));
  const heard = stream.deltas.length;
  const began = performance.now();
  await pool.query("select runner.delta($1, $2, $3, number, 'x') from generate_series(1, 500) number", [
    run.organisationId,
    run.runId,
    run.leaseId,
  ]);
  await executor.finish(run);
  await stream.ended;
  const seconds = Math.ceil((performance.now() - began) / 1_000) + 1;
  expect(stream.deltas.length - heard).toBeGreaterThan(0);
  expect(stream.deltas.length - heard).toBeLessThanOrEqual(20 * seconds);
});
