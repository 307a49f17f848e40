/** What is wrong, thing by thing: since when, what it is, what to do, and the page that shows it. */
import { html } from "../html.ts";
import { count } from "../numbers.ts";
import { When } from "../times.ts";
import { limitNames } from "../words.ts";
import { badge } from "./badge.ts";
import { howMany, isOf, type Matter, type Trouble } from "./matters.ts";
import { toOrganisation } from "./rows.ts";
import { empty } from "./states.ts";

const words: Record<string, string> = {
  failing_endpoint: "endpoint",
  stuck_queue: "queue of runs",
  late_deliveries: "late deliveries",
  silent_executor: "executor",
  failing_jobs: "jobs",
  failing_mail: "mail",
  expired_card: "card",
};

function pageOf({ page, subjectId, organisationId }: Trouble): string {
  if (page === "endpoint") return `/endpoints/${subjectId}`;
  if (page === "organisation") return `/organisations/${subjectId}`;
  if (page === "run") return `/runs/${subjectId}`;
  if (page === "approval") return `/organisations/${organisationId}?tab=cards`;
  return page === "mail" ? "/mails" : "/work";
}

export function troubleList(troubles: Trouble[], only: Matter | undefined) {
  const told = only ? troubles.filter((trouble) => isOf(trouble, only)) : troubles;
  if (told.length === 0) {
    return empty(
      only
        ? `Nothing of this is wrong.`
        : "Endpoints answer, queues move, executors and workers are alive, nobody is at a ceiling, and mails go out.",
    );
  }
  const further = howMany(told) - told.length;
  return html`<ul class="troubles">
    ${told.map(
      (trouble) => html`<li key=${trouble.id} class=${trouble.severity}>
        <p class="what">
          ${badge(trouble.severity, trouble.severity === "critical" ? "bad" : "warn")}
          <a href=${pageOf(trouble)}><strong>${limitNames[trouble.subject] ?? trouble.subject}</strong></a>
          <span class="quiet"
            >${words[trouble.matter]}${
              trouble.organisationId &&
              html`${words[trouble.matter] ? " of " : ""}${toOrganisation({ id: trouble.organisationId, name: trouble.organisationName ?? "" })}`
            }</span
          >
        </p>
        <p>${trouble.what}${trouble.since && Date.parse(trouble.since) < Date.now() && html` <span class="since">Since <${When} at=${trouble.since} />.</span>`}</p>
        <p class="quiet">${trouble.todo}</p>
      </li>`,
    )}
  </ul>${further > 0 && html`<p class="quiet">And ${count(further)} more, of which these are the first.</p>`}`;
}
