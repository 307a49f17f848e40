/** The list of bots, and creating one. */

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api } from "../../parts/api.ts";
import type { Column } from "../../parts/column.ts";
import { useList } from "../../parts/list.ts";
import { Page } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { BotForm, type BotValues, newBot } from "../bot-form.tsx";
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
  return (
    <Page
      title={texts.title}
      actions={
        <OperationButton operation="create_bot" kind="main" onClick={() => setCreating(true)}>
          {texts.create.button}
        </OperationButton>
      }
    >
      <ListPanel list={list} columns={columns} texts={texts} exportName="bots" />
      {creating && <BotForm words={texts.create} present={newBot} onClose={() => setCreating(false)} onSave={create} />}
    </Page>
  );
}

const columns: Column<Bot>[] = [
  {
    key: "name",
    title: texts.columns.name,
    render: ({ id, name, instructions }) => (
      <>
        <a href={`/portal/bots/${id}`}>{name}</a>
        <span class="sub clip">{instructions}</span>
      </>
    ),
    sortBy: ({ name }) => name,
    text: ({ name }) => name,
  },
  {
    key: "model",
    title: texts.columns.model,
    render: ({ model }) => model,
    sortBy: ({ model }) => model,
    text: ({ model }) => model,
  },
  {
    key: "visibility",
    title: texts.columns.visibility,
    render: ({ visibility }) => texts.visibilities[visibility],
    sortBy: ({ visibility }) => visibility,
    text: ({ visibility }) => visibility,
  },
  {
    key: "directConversation",
    title: texts.columns.conversation,
    render: ({ directConversation }) => texts.conversations[directConversation],
    text: ({ directConversation }) => directConversation,
  },
  {
    key: "createdAt",
    title: texts.columns.created,
    render: ({ createdAt }) => <Time at={createdAt} />,
    sortBy: ({ createdAt }) => createdAt,
    text: ({ createdAt }) => createdAt,
  },
  { key: "id", title: texts.columns.id, hidden: true, render: ({ id }) => <code>{id}</code>, text: ({ id }) => id },
];
