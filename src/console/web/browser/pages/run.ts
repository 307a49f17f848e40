/** A run, its steps and approvals. Operators cannot see the text of conversations. */
import { runActions } from "../actions/things.ts";
import { html } from "../html.ts";
import { useLive } from "../live.ts";
import { count, euros } from "../numbers.ts";
import { actions } from "../parts/actions.ts";
import { type Approval, approvalsTable } from "../parts/approvals.ts";
import { badge } from "../parts/badge.ts";
import { facts } from "../parts/facts.ts";
import { Heading } from "../parts/heading.ts";
import { Id } from "../parts/ids.ts";
import { linkTo, type Named, notFound, organisationLink } from "../parts/rows.ts";
import type { Run } from "../parts/runs.ts";
import { section } from "../parts/section.ts";
import { shown } from "../parts/states.ts";
import { table } from "../parts/table.ts";
import type { PageProps } from "../place.ts";
import { duration, When } from "../times.ts";

type Step = {
  number: number;
  kind: string;
  inputTokens: string | null;
  outputTokens: string | null;
  spendMicroCents: string;
  createdAt: string;
};
type Data = {
  run:
    | (Run & {
        organisation: Named;
        bot: { name: string; model: string } | null;
        person: { id: string; email: string } | null;
        parentRun: { id: string; state: string } | null;
        budgetSteps: number;
        budgetMicroCents: string;
        budgetWorkingSeconds: number;
        workingSeconds: number;
        workingSince: string | null;
        leaseUntil: string | null;
        executorsLost: number;
        pausedUntil: string | null;
        stepLog: { nodes: Step[] };
        approvals: { nodes: Approval[] };
      })
    | null;
};

export function RunPage({ params }: PageProps) {
  const answer = useLive<Data>("run", { id: params.id });
  return shown(answer, ({ run }) => {
    if (!run) return notFound("run", params.id);
    return html`<${Heading}
        kind="Run"
        title=${run.bot?.name ?? "Deleted bot"}
        beside=${actions(runActions(run), { organisation: run.organisation?.id, run: run.id }, html`A run of <strong>${run.bot?.name}</strong> of ${run.organisation?.name}.`)}
      >
        <div class="under">${badge(run.state)} ${run.taint && badge("tainted", "warn")} ${organisationLink(run.organisation)} <${Id} id=${run.id} /></div>
      <//>
      <div class="panel">${facts([
        run.error && ["Error", run.error.replaceAll("_", " ")],
        ["Person", run.person && linkTo("people", run.person.id, run.person.email)],
        ["Model", run.bot?.model],
        ["Trigger", run.trigger],
        run.parentRun && ["Parent run", linkTo("runs", run.parentRun.id)],
        ["Steps", `${count(run.steps)} of ${count(run.budgetSteps)}`],
        ["Cost", `${euros(run.spendMicroCents)} of ${euros(run.budgetMicroCents)}`],
        ["Working time", `${duration(run.workingSeconds * 1000)} of ${duration(run.budgetWorkingSeconds * 1000)}`],
        run.workingSince && ["Working since", html`<${When} at=${run.workingSince} />`],
        run.leaseUntil && ["Lease until", html`<${When} at=${run.leaseUntil} />`],
        run.executorsLost > 0 && ["Executors lost", count(run.executorsLost)],
        run.pausedUntil && ["Paused until", html`<${When} at=${run.pausedUntil} />`],
        ["Started", html`<${When} at=${run.createdAt} />`],
        ["Ended", html`<${When} at=${run.finishedAt} none="not yet" />`],
      ])}</div>
      ${section(
        "steps",
        "Steps",
        table(
          "Steps, oldest first",
          run.stepLog.nodes,
          [
            { head: "Step", cell: ({ number }) => number },
            { head: "Kind", cell: ({ kind }) => kind },
            { head: "Tokens in", number: true, cell: ({ inputTokens }) => count(inputTokens) },
            { head: "Tokens out", number: true, cell: ({ outputTokens }) => count(outputTokens) },
            { head: "Cost", number: true, cell: ({ spendMicroCents }) => euros(spendMicroCents) },
            { head: "Time", cell: ({ createdAt }) => html`<${When} at=${createdAt} />` },
          ],
          { key: ({ number }) => String(number), none: "No steps yet." },
        ),
      )}
      ${run.approvals.nodes.length > 0 && section("approvals", "Approvals", approvalsTable(run.approvals.nodes))}`;
  });
}
