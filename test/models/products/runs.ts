import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Assignment } from "../../../src/runner/engine.ts";
import { linkOf, press } from "../../support/approvals.ts";
import { noteModels } from "../../support/database.ts";
import { executorOn, expireLease } from "../../support/hand-executor.ts";
import { at, type Product } from "../model.ts";
import type { RunAction } from "../runs.ts";
import { openTenant, type Place } from "./place.ts";

const executorId = randomUUID();
const beyondBudget = 200_000_001;

export async function openRuns(place: Place & { runner: Pool }): Promise<Product<RunAction>> {
  const { call, sql } = await openTenant(place, { runStartsPerHour: null });
  const model = `model-${randomUUID()}`;
  await noteModels(place.db, model);
  await sql("select runner.heartbeat($1, 'models', $2)", [executorId, [model]]); // instead of the model of the sequence before
  const executor = executorOn(place.runner, executorId);
  const bots: string[] = [];
  for (const name of ["Ada", "Grace"]) bots.push((await call("POST", "/bots", { name, model })).body.id);
  const runs: string[] = [];
  /** The last lease of each run. */
  const leases = new Map<string, Assignment>();
  const started = async (path: string, body: object) => {
    const answer = await call("POST", path, body);
    if (answer.said === "202") runs.push(answer.body.id);
    return answer.body.state ? `${answer.said} ${answer.body.state}` : answer.said;
  };

  async function work(does: string, run: string): Promise<string> {
    const lease = leases.get(run) ?? { organisationId: randomUUID(), runId: run, leaseId: randomUUID() };
    const of = lease as Assignment;
    const ways: Record<string, () => Promise<unknown>> = {
      renew: () => executor.renew(of),
      step: () => executor.step(of),
      spend: () => executor.step(of, beyondBudget),
      finish: () => executor.finish(of),
      fail: () => executor.fail(of),
      block: () => executor.block(of),
      ask: () => executor.ask(of).then((id) => (id ? "asked" : "failed")),
    };
    return (ways[does] as () => Promise<unknown>)().then(
      (answer) => `${answer ?? ""}`,
      ({ code }: { code: string }) => code,
    );
  }

  /** Ends the question of the run. */
  async function end(how: "answer" | "expire", run: string): Promise<string> {
    const [raised] = await sql<{ id: string }>("select id from app.approvals where run_id = $1 and state = 'pending'", [
      run,
    ]);
    if (raised && how === "answer") await press(place.api, await linkOf(place.db, raised.id), "approved");
    else if (raised) {
      await sql("update app.approvals set expires_at = now() where id = $1", [raised.id]);
      await sql("select from runner.expire_approvals()");
    }
    return "done";
  }

  return {
    async perform(action) {
      if (action.do === "start") return started("/runs", { botId: at(bots, action.bot), message: "Hello" });
      if (action.do === "lease") {
        const leased = await executor.lease();
        if (leased) leases.set(leased.runId, leased);
        return leased ? `run ${runs.indexOf(leased.runId)}` : "none";
      }
      const run = at(runs, action.run);
      if (action.do === "retry") return started(`/runs/${run}/retry`, {});
      if (action.do === "cancel" || action.do === "resume") {
        const { said, body } = await call("POST", `/runs/${run}/${action.do}`);
        return body.state ? `${said} ${body.state}` : said;
      }
      if (action.do === "lose") {
        const [running] = await sql("select from app.runs where id = $1 and state = 'running'", [run]);
        if (running) await expireLease(place.db, run);
        return "done";
      }
      if (action.do === "answer" || action.do === "expire") return end(action.do, run);
      return work(action.do, run);
    },
    async shown() {
      const rows = await sql<{ id: string; shown: string }>(
        "select id, state || ' ' || coalesce(error::text, 'null') as shown from app.runs where id = any ($1)",
        [runs],
      );
      return runs.map((id) => rows.find((row) => row.id === id)?.shown);
    },
  };
}
