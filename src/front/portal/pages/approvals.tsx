/** The list of approvals of the person's conversations. */

import { State } from "../../parts/badge.tsx";
import type { Column } from "../../parts/column.ts";
import { optionsOf, SelectFilter, useFilters } from "../../parts/filters.tsx";
import { useList } from "../../parts/list.ts";
import { Page } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { ListPanel } from "../list-panel.tsx";
import type { Schemas } from "../schemas.ts";
import { approvalTexts as texts } from "../texts/runs.ts";
import { type Bots, useBots } from "../use-bots.ts";

type Approval = Schemas["Approval"];

export default function Approvals() {
  const bots = useBots();
  const { values, set, isFiltered } = useFilters(["state", "runId"]);
  const list = useList<Approval>("/approvals", { limit: 100, ...values });
  return (
    <Page title={texts.title}>
      <p class="quiet lead">{texts.hint}</p>
      <search class="filters">
        <SelectFilter
          label={texts.filters.state}
          value={values.state}
          options={optionsOf(texts.states)}
          onChange={(state) => set({ state })}
        />
      </search>
      <ListPanel list={list} columns={columnsOf(bots)} texts={texts} isFiltered={isFiltered} exportName="approvals" />
    </Page>
  );
}

/** What the person decides on. */
const textOfApproval = ({ question, memory, run }: Approval): string =>
  question ?? (memory ? `${memory.subject}: ${memory.value}` : (run?.message ?? ""));

const columnsOf = ({ nameOf }: Bots): Column<Approval>[] => [
  {
    key: "createdAt",
    title: texts.columns.created,
    render: ({ createdAt }) => <Time at={createdAt} />,
    sortBy: ({ createdAt }) => createdAt,
    text: ({ createdAt }) => createdAt,
  },
  {
    key: "kind",
    title: texts.columns.kind,
    render: ({ kind }) => texts.kinds[kind],
    sortBy: ({ kind }) => kind,
    text: ({ kind }) => kind,
  },
  {
    key: "text",
    title: texts.columns.text,
    render: (approval) => (
      <a class="clip" href={`/portal/approvals/${approval.id}`}>
        {textOfApproval(approval) || texts.kinds[approval.kind]}
      </a>
    ),
    text: textOfApproval,
  },
  {
    key: "bot",
    title: texts.columns.bot,
    render: ({ botId }) => nameOf(botId),
    sortBy: ({ botId }) => nameOf(botId),
    text: ({ botId }) => nameOf(botId),
  },
  {
    key: "state",
    title: texts.columns.state,
    render: ({ state }) => <State state={state} />,
    sortBy: ({ state }) => state,
    text: ({ state }) => state,
  },
  {
    key: "expiresAt",
    title: texts.columns.expires,
    render: ({ expiresAt, state }) => <Time at={expiresAt} relativeToo={state === "pending"} />,
    sortBy: ({ expiresAt }) => expiresAt,
    text: ({ expiresAt }) => expiresAt,
  },
];
