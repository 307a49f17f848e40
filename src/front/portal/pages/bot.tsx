/** One bot: its settings, and links to its runs, memories, routines and hooks. */

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, useOne } from "../../parts/api.ts";
import { ConfirmDialog } from "../../parts/dialog.tsx";
import { Failure } from "../../parts/failure.tsx";
import { changesOf, type Edited } from "../../parts/form-dialog.tsx";
import { Id } from "../../parts/id.tsx";
import { EmptyState, Facts, Loading, Page, Section } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { BotForm, type BotValues } from "../bot-form.tsx";
import { OperationButton } from "../operation-button.tsx";
import type { Schemas } from "../schemas.ts";
import { useSession } from "../session-context.ts";
import { StartRun } from "../start-run.tsx";
import { botTexts as texts } from "../texts/bots.ts";

type Bot = Schemas["Bot"];

export default function BotPage({ id = "" }: { id?: string }) {
  const { data: bot, etag, error, reload } = useOne<Bot>(`/bots/${id}`);
  return (
    <Page
      title={bot?.name ?? texts.one.title}
      above={<a href="/portal/bots">{texts.one.back}</a>}
      actions={bot && <Actions bot={bot} edited={{ etag, reload }} />}
    >
      <Failure error={error} retry={reload} />
      {bot ? <Shown bot={bot} /> : !error && <Loading />}
    </Page>
  );
}

function Shown({ bot }: { bot: Bot }) {
  const { operations, person } = useSession();
  const { facts, links } = texts.one;
  const related = (["runs", "memories", "routines", "hooks"] as const).filter((name) => name in operations);
  return (
    <>
      <div class="panel">
        <Facts
          items={[
            [texts.columns.model, bot.model],
            [texts.columns.visibility, texts.visibilities[bot.visibility]],
            [texts.columns.conversation, texts.conversations[bot.directConversation]],
            [facts.owner, bot.ownerId === person.id ? person.name : <code>{bot.ownerId}</code>],
            [facts.created, <Time at={bot.createdAt} />],
            [facts.id, <Id value={bot.id} />],
          ]}
        />
      </div>
      <Section title={texts.one.instructions}>
        {bot.instructions ? (
          <p class="text padded">{bot.instructions}</p>
        ) : (
          <EmptyState title={texts.one.noInstructions} />
        )}
      </Section>
      {related.length > 0 && (
        <Section title={texts.one.related}>
          <ul class="beside padded">
            {related.map((name) => (
              <li key={name}>
                <a href={`/portal/${name}?botId=${bot.id}`}>{links[name]}</a>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Actions({ bot, edited }: { bot: Bot; edited: Edited }) {
  const { route } = useLocation();
  const { person, role } = useSession();
  const [open, setOpen] = useState<"ask" | "edit" | "remove">();
  const close = () => setOpen(undefined);
  const edit = async (values: BotValues) => {
    const changes = changesOf(values, bot);
    if (Object.keys(changes).length > 0) await api("PATCH", `/bots/${bot.id}`, changes, edited);
    toast(texts.edit.done);
    edited.reload();
  };
  const remove = async () => {
    await api("DELETE", `/bots/${bot.id}`);
    toast(texts.remove.done);
    route("/portal/bots");
  };
  const isOwn = bot.ownerId === person.id;
  return (
    <>
      {(isOwn || bot.directConversation === "members") && (
        <OperationButton operation="start_run" kind="main" onClick={() => setOpen("ask")}>
          {texts.ask.button}
        </OperationButton>
      )}
      {/* A member changes and deletes only their own bots. */}
      {(isOwn || role !== "member") && (
        <>
          <OperationButton operation="update_bot" onClick={() => setOpen("edit")}>
            {texts.edit.button}
          </OperationButton>
          <OperationButton operation="delete_bot" kind="risky" onClick={() => setOpen("remove")}>
            {texts.remove.button}
          </OperationButton>
        </>
      )}
      {open === "ask" && <StartRun words={texts.ask} options={[{ value: bot.id, title: bot.name }]} onClose={close} />}
      {open === "edit" && (
        <BotForm words={texts.edit} present={bot} ownerId={bot.ownerId} edited={edited} onClose={close} onSave={edit} />
      )}
      <ConfirmDialog
        words={texts.remove}
        present={[
          [texts.columns.name, bot.name],
          [texts.columns.model, bot.model],
          [texts.columns.visibility, texts.visibilities[bot.visibility]],
        ]}
        danger
        open={open === "remove"}
        onClose={close}
        onConfirm={remove}
      />
    </>
  );
}
