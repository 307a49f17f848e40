/** Overview: current issues by group, with suggested actions, and plots over time. */
import { useLive } from "../live.ts";
import { plural } from "../numbers.ts";
import { choice } from "../parts/choice.tsx";
import { Heading } from "../parts/heading.tsx";
import { type Issue, issueGroups, totalOf } from "../parts/issue-groups.ts";
import { issueList } from "../parts/issues.tsx";
import { Plots } from "../parts/plots.tsx";
import { section } from "../parts/section.tsx";
import { shown } from "../parts/states.tsx";
import { statuses } from "../parts/status.tsx";
import { hereWith, type PageProps } from "../place.ts";
import { spanOf, spans } from "../time-ranges.ts";

type Data = { issues: { nodes: Issue[] } };

export function OverviewPage({ place }: PageProps) {
  const answer = useLive<Data>("issues");
  const span = spanOf(place.query.get("span"));
  const only = issueGroups.find(({ name }) => name === place.query.get("group"));
  const all = answer.data?.issues.nodes;
  const title = !all ? "Overview" : all.length === 0 ? "No issues" : plural(totalOf(all), "issue");
  return (
    <>
      <Heading
        title={title}
        beside={choice(
          "Time span of the plots",
          "span",
          spans.map(({ name, label }) => [name, label]),
          span.name,
        )}
      />
      {statuses(all, only)}
      <div class="overview">
        {section(
          only ? only.title : "Issues, critical first",
          shown(answer, ({ issues }) => issueList(issues.nodes, only)),
          only && <a href={hereWith({ group: undefined })}>Show all</a>,
        )}
        <Plots span={span} />
      </div>
    </>
  );
}
