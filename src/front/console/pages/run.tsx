/** A run, its steps and approvals. Operators cannot see the text of conversations. */

import { Id } from "../../parts/id.tsx";
import { runActions } from "../actions/things.tsx";
import { useLive } from "../live.ts";
import { cost, count, duration, euros } from "../numbers.ts";
import { actions } from "../parts/actions.tsx";
import { type Approval, approvalsTable } from "../parts/approvals.tsx";
import { badge } from "../parts/badge.tsx";
import { number, when } from "../parts/columns.tsx";
import { facts } from "../parts/facts.tsx";
import { Heading } from "../parts/heading.tsx";
import { linkTo, type Named, notFound, organisationLink } from "../parts/rows.tsx";
import type { Run } from "../parts/runs.tsx";
import { section } from "../parts/section.tsx";
import { shownPage } from "../parts/states.tsx";
import { table } from "../parts/table.tsx";
import { type Moment, Timeline } from "../parts/timeline.tsx";
import type { PageProps } from "../place.ts";
import { When } from "../times.tsx";

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

function momentsOf(run: NonNullable<Data["run"]>): Moment[] {
  return [
    { at: run.createdAt, what: "Started" },
    ...run.stepLog.nodes.map(({ number, kind, createdAt }) => ({ at: createdAt, what: `Step ${number}: ${kind}` })),
    ...run.approvals.nodes.flatMap(({ kind, state, createdAt, answeredAt }): Moment[] => [
      { at: createdAt, what: `Approval asked: ${kind}`, tone: "warn" },
      { at: answeredAt, what: `Approval ${state}`, tone: state === "approved" ? "good" : "bad" },
    ]),
    { at: run.finishedAt, what: run.state, tone: run.state === "completed" ? "good" : "bad" },
  ];
}

export function RunPage({ params }: PageProps) {
  const answer = useLive<Data>("run", { id: params.id });
  return shownPage("Run", answer, ({ run }) => {
    if (!run) return notFound("run", params.id);
    return (
      <>
        <Heading
          kind="Run"
          title={run.bot?.name ?? "Deleted bot"}
          beside={actions(runActions(run), { organisation: run.organisation?.id, run: run.id }, [
            ["Bot", run.bot?.name],
            ["Organisation", run.organisation?.name],
            ["State", badge(run.state)],
            ["Steps", count(run.steps)],
            ["Cost", cost(run.spendMicroCents)],
            ["Started", <When at={run.createdAt} />],
          ])}
        >
          <div class="under">
            {badge(run.state)} {run.taint && badge("tainted", "warn")} {organisationLink(run.organisation)}{" "}
            <Id value={run.id} />
          </div>
        </Heading>
        <div class="panel">
          {facts([
            run.error && ["Error", run.error.replaceAll("_", " ")],
            ["Person", run.person && linkTo("people", run.person.id, run.person.email)],
            ["Model", run.bot?.model],
            ["Trigger", run.trigger],
            run.parentRun && ["Parent run", linkTo("runs", run.parentRun.id)],
            ["Steps", `${count(run.steps)} of ${count(run.budgetSteps)}`],
            ["Cost", `${cost(run.spendMicroCents)} of ${euros(run.budgetMicroCents)}`],
            ["Working time", `${duration(run.workingSeconds)} of ${duration(run.budgetWorkingSeconds)}`],
            run.workingSince && ["Working since", <When at={run.workingSince} />],
            run.leaseUntil && ["Lease until", <When at={run.leaseUntil} />],
            run.executorsLost > 0 && ["Executors lost", count(run.executorsLost)],
            run.pausedUntil && ["Paused until", <When at={run.pausedUntil} />],
            ["Started", <When at={run.createdAt} />],
            ["Ended", <When at={run.finishedAt} none="not yet" />],
          ])}
        </div>
        <Timeline moments={momentsOf(run)} />
        {section(
          "Steps",
          table(
            "Steps, oldest first",
            run.stepLog.nodes,
            [
              { key: "step", title: "Step", sortBy: ({ number }) => number, render: ({ number }) => number },
              { key: "kind", phone: "title", title: "Kind", sortBy: ({ kind }) => kind, render: ({ kind }) => kind },
              number("Tokens in", "inputTokens"),
              number("Tokens out", "outputTokens"),
              {
                key: "cost",
                phone: "state",
                title: "Cost",
                number: true,
                sortBy: ({ spendMicroCents }) => Number(spendMicroCents ?? 0),
                render: ({ spendMicroCents }) => cost(spendMicroCents),
              },
              { ...when("Time", "createdAt"), phone: "time" },
            ],
            {
              key: ({ number }) => String(number),
              none: "No steps yet. An executor records a step for each call of the model or of a tool.",
              start: <a href="/deliveries-and-runs">Show the executors</a>,
            },
          ),
        )}
        {run.approvals.nodes.length > 0 && section("Approvals", approvalsTable(run.approvals.nodes))}
      </>
    );
  });
}
