/** The list of bots, and creating one. */

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api } from "../../parts/api.ts";
import type { Column } from "../../parts/column.ts";
import { isEmptyList } from "../../parts/filter-line.tsx";
import { useList } from "../../parts/list.ts";
import { Page } from "../../parts/page.tsx";
import { toast } from "../../parts/toast.tsx";
import { BotForm, type BotValues, newBot } from "../bot-form.tsx";
import { codeColumn, textColumn, timeColumn, wordColumn } from "../columns.tsx";
import { ListPanel } from "../list-panel.tsx";
import { OperationButton } from "../operation-button.tsx";
import type { Schemas } from "../schemas.ts";
import { botTexts as texts } from "../texts/bots.ts";

type Bot = Schemas["Bot"];

export default function Bots() {
  const { route } = useLocation();
  const list = useList<Bot>("/bots", { limit: 100 });
  const [creating, setCreating] = useState(false);
  const create = async (values: BotValues) => {
    const { id } = await api<Bot>("POST", "/bots", values);
    toast(texts.create.done);
    route(`/portal/bots/${id}`);
  };
  const start = (
    <OperationButton operation="create_bot" kind="main" onClick={() => setCreating(true)}>
      {texts.create.button}
    </OperationButton>
  );
  return (
    <Page title={texts.title} actions={!isEmptyList(list, false) && start}>
      <ListPanel start={start} list={list} columns={columns} texts={texts} exportName="bots" />
      {creating && <BotForm words={texts.create} present={newBot} onClose={() => setCreating(false)} onSave={create} />}
    </Page>
  );
}

const columns: Column<Bot>[] = [
  {
    key: "name",
    phone: "title",
    title: texts.columns.name,
    render: ({ id, name, instructions }) => (
      <>
        <a href={`/portal/bots/${id}`}>{name}</a>
        <span class="sub clip">{instructions}</span>
      </>
    ),
    sortBy: ({ name }) => name,
  },
  { ...textColumn("model", texts.columns.model), phone: "state" },
  wordColumn("visibility", texts.columns.visibility, texts.visibilities),
  {
    key: "directConversation",
    title: texts.columns.conversation,
    render: ({ directConversation }) => texts.conversations[directConversation],
    text: ({ directConversation }) => directConversation,
  },
  { ...timeColumn("createdAt", texts.columns.created), phone: "time" },
  codeColumn("id", texts.columns.id),
];
