/** The list of issues: subject, description, start, suggested action, and a link to the page that shows it. */
import { emptyState } from "../../parts/page.tsx";
import { count } from "../numbers.ts";
import { When } from "../times.tsx";
import { badge } from "./badge.tsx";
import { type Issue, type IssueGroup, isIn, totalOf } from "./issue-groups.ts";
import { organisationLink } from "./rows.tsx";

const labels: Record<string, string> = {
  failing_endpoint: "endpoint",
  failing_stream: "audit stream",
  lost_secret: "lost secret",
  stuck_queue: "queue of runs",
  late_deliveries: "late deliveries",
  silent_executor: "executor",
  failing_jobs: "jobs",
  failing_mail: "email",
  expired_approval: "approval",
  unfinished_deletion: "deletion",
};

function pageOf({ page, subjectId, organisationId }: Issue): string {
  if (page === "endpoint") return `/endpoints/${subjectId}`;
  if (page === "organisation") return `/organisations/${subjectId}`;
  if (page === "run") return `/runs/${subjectId}`;
  if (page === "approval") return `/organisations/${organisationId}?tab=approvals`;
  return page === "mail" ? "/email" : "/deliveries-and-runs";
}

export function issueList(issues: Issue[], only: IssueGroup | undefined) {
  const listed = only ? issues.filter((issue) => isIn(issue, only)) : issues;
  if (listed.length === 0) {
    return emptyState(
      only
        ? "No issues. An issue of this group appears here with what to do about it."
        : "No issues. Endpoints respond, queues move, executors and workers are live, no limit is reached, and emails are sent.",
    );
  }
  const further = totalOf(listed) - listed.length;
  return (
    <>
      <ul class="issues">
        {listed.map((issue) => (
          <li key={issue.id} class={issue.severity}>
            <p class="title">
              {badge(issue.severity, issue.severity === "critical" ? "bad" : "warn")}
              <a href={pageOf(issue)}>
                <strong>{issue.subject}</strong>
              </a>
              <span class="quiet">
                {labels[issue.category]}
                {issue.organisationId && (
                  <>
                    {labels[issue.category] ? " of " : ""}
                    {organisationLink({ id: issue.organisationId, name: issue.organisationName ?? "" })}
                  </>
                )}
              </span>
            </p>
            <p>
              {issue.description}{" "}
              {issue.since && Date.parse(issue.since) < Date.now() && (
                <span class="since">
                  Since <When at={issue.since} />.
                </span>
              )}
            </p>
            <p class="quiet">{issue.suggestedAction}</p>
          </li>
        ))}
      </ul>
      {further > 0 && <p class="quiet">{count(further)} more are not listed.</p>}
    </>
  );
}
