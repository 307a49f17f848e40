/** Overview: current issues by group, with suggested actions, and plots over time. */
import { html } from "../html.ts";
import { useLive } from "../live.ts";
import { plural } from "../numbers.ts";
import { choice } from "../parts/choice.ts";
import { Heading } from "../parts/heading.ts";
import { type Issue, issueGroups, totalOf } from "../parts/issue-groups.ts";
import { issueList } from "../parts/issues.ts";
import { Plots } from "../parts/plots.ts";
import { section } from "../parts/section.ts";
import { shown } from "../parts/states.ts";
import { statuses } from "../parts/status.ts";
import { hereWith, type PageProps } from "../place.ts";
import { spanOf, spans } from "../time-ranges.ts";

type Data = { issues: { nodes: Issue[] } };

export function OverviewPage({ place }: PageProps) {
  const answer = useLive<Data>("issues");
  const span = spanOf(place.query.get("span"));
  const only = issueGroups.find(({ name }) => name === place.query.get("group"));
  const all = answer.data?.issues.nodes;
  const title = !all ? "Overview" : all.length === 0 ? "No issues" : plural(totalOf(all), "issue");
  return html`<${Heading}
      title=${title}
      beside=${choice(
        "Time span of the plots",
        "span",
        spans.map(({ name, label }) => [name, label]),
        span.name,
      )}
    />
    ${statuses(all, only)}
    <div class="overview">
      ${section(
        "issues",
        only ? only.title : "Issues, critical first",
        shown(answer, ({ issues }) => issueList(issues.nodes, only), 6),
        only && html`<a href=${hereWith({ group: undefined })}>Show all</a>`,
      )}
      <${Plots} span=${span} />
    </div>`;
}
