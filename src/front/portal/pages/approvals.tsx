/** The list of approvals of the person's conversations. */

import type { Column } from "../../parts/column.ts";
import { optionsOf, SelectFilter, useFilters } from "../../parts/filters.tsx";
import { useList } from "../../parts/list.ts";
import { Page } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { botColumn, stateColumn, wordColumn } from "../columns.tsx";
import { ListPanel } from "../list-panel.tsx";
import type { Schemas } from "../schemas.ts";
import { approvalTexts as texts } from "../texts/runs.ts";
import { type Names, useBots } from "../use-names.ts";

type Approval = Schemas["Approval"];

export default function Approvals() {
  const bots = useBots();
  const { values, of, isFiltered } = useFilters(["state", "runId"]);
  const list = useList<Approval>("/approvals", { limit: 100, ...values });
  return (
    <Page title={texts.title}>
      <p class="quiet lead">{texts.hint}</p>
      <ListPanel
        filters={
          <search class="filters one">
            <SelectFilter label={texts.filters.state} options={optionsOf(texts.states)} {...of("state")} />
          </search>
        }
        list={list}
        columns={columnsOf(bots)}
        texts={texts}
        isFiltered={isFiltered}
        exportName="approvals"
      />
    </Page>
  );
}

/** The question, memory or run that the person decides on. */
const textOfApproval = ({ question, memory, run }: Approval): string =>
  question ?? (memory ? `${memory.subject}: ${memory.value}` : (run?.message ?? ""));

const columnsOf = ({ nameOf }: Names): Column<Approval>[] => [
  {
    key: "createdAt",
    phone: "time",
    title: texts.columns.created,
    render: ({ createdAt }) => <Time at={createdAt} />,
    sortBy: ({ createdAt }) => createdAt,
  },
  wordColumn("kind", texts.columns.kind, texts.kinds),
  {
    key: "text",
    phone: "title",
    title: texts.columns.text,
    render: (approval) => (
      <a class="clip" href={`/portal/approvals/${approval.id}`}>
        {textOfApproval(approval) || texts.kinds[approval.kind]}
      </a>
    ),
    text: textOfApproval,
  },
  botColumn(texts.columns.bot, nameOf),
  stateColumn(texts.columns.state),
  {
    key: "expiresAt",
    title: texts.columns.expires,
    render: ({ expiresAt, state }) => <Time at={expiresAt} relativeToo={state === "pending"} />,
    sortBy: ({ expiresAt }) => expiresAt,
  },
];
