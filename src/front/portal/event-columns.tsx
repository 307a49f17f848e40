/** The columns of events. */
import { State } from "../parts/badge.tsx";
import type { Column } from "../parts/column.ts";
import { CodeBlock } from "../parts/id.tsx";
import { codeColumn, timeColumn } from "./columns.tsx";
import { Linked } from "./linked.tsx";
import type { Schemas } from "./schemas.ts";
import { eventTexts as texts } from "./texts/endpoints.ts";
import { frameTexts } from "./texts/frame.ts";

export type Event = Schemas["Event"];

/** Pages by field of the data, in the order of the links. */
const pageOf: Record<keyof typeof texts.about, (id: string) => string> = {
  runId: (id) => `/portal/runs/${id}`,
  approvalId: (id) => `/portal/approvals/${id}`,
  botId: (id) => `/portal/bots/${id}`,
  memoryId: (id) => `/portal/memories/${id}`,
  routineId: (id) => `/portal/routines/${id}`,
  webhookId: (id) => `/portal/endpoints/${id}`,
  keyId: (id) => `/portal/keys/${id}`,
  userId: () => "/portal/members",
  limit: () => "/portal/#limits",
};

function linksOf({ event, data }: Event): { title: string; href: string }[] {
  return Object.entries(data).flatMap(([field, id]) => {
    if (!(field in pageOf) || typeof id !== "string" || event === "memory.deleted") return [];
    const name = field as keyof typeof pageOf;
    return [{ title: texts.about[name], href: pageOf[name](id) }];
  });
}

function About({ event }: { event: Event }) {
  return (
    <span class="links">
      {linksOf(event).map(({ title, href }) => (
        <Linked key={href} href={href}>
          {title}
        </Linked>
      ))}
    </span>
  );
}

export const eventColumns: Column<Event>[] = [
  {
    key: "event",
    phone: "title",
    title: texts.columns.event,
    render: ({ event, data }) => (
      <details>
        <summary>{event}</summary>
        <CodeBlock text={JSON.stringify(data, null, 2)} label={frameTexts.copied.data} />
      </details>
    ),
    sortBy: ({ event }) => event,
  },
  {
    key: "about",
    title: texts.columns.about,
    render: (event) => <About event={event} />,
    text: (event) =>
      linksOf(event)
        .map(({ title }) => title)
        .join(" "),
  },
  { ...timeColumn("createdAt", texts.columns.created), phone: "time" },
  {
    key: "deliveries",
    phone: "state",
    title: texts.columns.deliveries,
    render: ({ deliveries }) =>
      deliveries.length === 0 ? (
        texts.none
      ) : (
        <span class="links">
          {deliveries.map(({ id, state }) => (
            <Linked key={id} href={`/portal/endpoints/deliveries/${id}`}>
              <State state={state} />
            </Linked>
          ))}
        </span>
      ),
    sortBy: ({ deliveries }) => deliveries.length,
    text: ({ deliveries }) => deliveries.map(({ state }) => state).join(" "),
  },
  codeColumn("id", texts.columns.id),
  {
    key: "data",
    title: texts.data,
    hidden: true,
    render: ({ data }) => <code>{JSON.stringify(data)}</code>,
    text: ({ data }) => JSON.stringify(data),
  },
];
