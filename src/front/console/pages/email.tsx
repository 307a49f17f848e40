/** Unsent emails, oldest first. */
import { useLive } from "../live.ts";
import { count } from "../numbers.ts";
import { Heading } from "../parts/heading.tsx";
import { type Named, organisationLink } from "../parts/rows.tsx";
import { shown } from "../parts/states.tsx";
import { type Page, pager, table } from "../parts/table.tsx";
import type { PageProps } from "../place.ts";
import { When } from "../times.tsx";

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
  return (
    <>
      <Heading title="Email" />
      <div class="panel">
        {shown(answer, ({ waitingMails }) => [
          table(
            "Unsent emails, oldest first",
            waitingMails.nodes,
            [
              {
                key: "kind",
                title: "Kind",
                sortBy: ({ kind }) => kind.replaceAll("_", " "),
                render: ({ kind }) => kind.replaceAll("_", " "),
              },
              {
                key: "to",
                title: "To",
                long: true,
                sortBy: ({ recipient }) => recipient,
                render: ({ recipient }) => recipient,
              },
              {
                key: "organisation",
                title: "Organisation",
                long: true,
                sortBy: ({ organisation }) => organisation?.name,
                render: ({ organisation }) => organisationLink(organisation),
              },
              {
                key: "attempts",
                title: "Attempts",
                number: true,
                sortBy: ({ attempts }) => Number(attempts ?? 0),
                render: ({ attempts }) => count(attempts ?? 0),
              },
              {
                key: "created",
                title: "Created",
                sortBy: ({ createdAt }) => createdAt,
                render: ({ createdAt }) => <When at={createdAt} />,
              },
              {
                key: "next-attempt",
                title: "Next attempt",
                sortBy: ({ nextAttemptAt }) => nextAttemptAt,
                render: ({ nextAttemptAt }) => <When at={nextAttemptAt} />,
              },
            ],
            { key: ({ id }) => id, none: "No unsent emails." },
          ),
          pager(waitingMails.pageInfo, after),
        ])}
      </div>
    </>
  );
}
