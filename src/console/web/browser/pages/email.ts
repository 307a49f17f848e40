/** Unsent emails, oldest first. */
import { html } from "../html.ts";
import { useLive } from "../live.ts";
import { count } from "../numbers.ts";
import { Heading } from "../parts/heading.ts";
import { type Named, organisationLink } from "../parts/rows.ts";
import { shown } from "../parts/states.ts";
import { type Page, pager, table } from "../parts/table.ts";
import type { PageProps } from "../place.ts";
import { When } from "../times.ts";

type Mail = {
  id: string;
  kind: string;
  recipient: string;
  attempts: number | null;
  createdAt: string;
  nextAttemptAt: string | null;
  organisation: Named;
};
type Data = { waitingMails: { nodes: Mail[]; pageInfo: Page } };

export function EmailPage({ place }: PageProps) {
  const after = place.query.get("after");
  const answer = useLive<Data>("waiting-mails", { first: 50, after });
  return html`<${Heading} title="Email" />
    <div class="panel">
      ${shown(answer, ({ waitingMails }) => [
        table(
          "Unsent emails, oldest first",
          waitingMails.nodes,
          [
            { head: "Kind", cell: ({ kind }) => kind.replaceAll("_", " ") },
            { head: "To", long: true, cell: ({ recipient }) => recipient },
            { head: "Organisation", long: true, cell: ({ organisation }) => organisationLink(organisation) },
            { head: "Attempts", number: true, cell: ({ attempts }) => count(attempts ?? 0) },
            { head: "Created", cell: ({ createdAt }) => html`<${When} at=${createdAt} />` },
            { head: "Next attempt", cell: ({ nextAttemptAt }) => html`<${When} at=${nextAttemptAt} />` },
          ],
          { key: ({ id }) => id, none: "No unsent emails." },
        ),
        pager(waitingMails.pageInfo, after),
      ])}
    </div>`;
}
