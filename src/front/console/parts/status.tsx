/** Status of each issue group as a link that filters the issues: green, or count and severity. */
import { count } from "../numbers.ts";
import { hereWith } from "../place.ts";
import { type Issue, type IssueGroup, isIn, issueGroups, totalOf } from "./issue-groups.ts";

export function statuses(issues: Issue[] | undefined, chosen: IssueGroup | undefined) {
  return (
    <nav class="statuses" aria-label="Issue groups">
      {issueGroups.map((group) => {
        const mine = issues?.filter((issue) => isIn(issue, group)) ?? [];
        const critical = totalOf(mine.filter(({ severity }) => severity === "critical"));
        const tone = critical > 0 ? "bad" : mine.length > 0 ? "warn" : issues ? "good" : "";
        const summary = critical > 0 ? `${count(critical)} critical` : mine.length > 0 ? "warning" : "no issues";
        return (
          <a
            key={group.name}
            class={`status ${tone}`}
            href={hereWith({ group: group === chosen ? undefined : group.name })}
            aria-current={group === chosen ? "true" : undefined}
          >
            <span class="name">{group.title}</span> <b>{issues ? count(totalOf(mine)) : "–"}</b>
            <span class="summary">{issues ? summary : "loading"}</span>
          </a>
        );
      })}
    </nav>
  );
}
