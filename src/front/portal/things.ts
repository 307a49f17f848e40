/** Things for the command palette, within the sections of the session: from lists, and by a whole id. */
import { type ApiError, useOne } from "../parts/api.ts";
import type { Command } from "../parts/command-palette.tsx";
import { useList } from "../parts/list.ts";
import { localTime } from "../parts/time.tsx";
import { useAllLoading } from "./read-all.ts";
import type { Schemas } from "./schemas.ts";
import { useSession } from "./session-context.ts";
import { frameTexts as texts } from "./texts/frame.ts";
import { approvalTexts } from "./texts/runs.ts";

/** A thing with its page. */
export type Thing = Omit<Command, "run"> & { href: string };
/** failed: a reading did, so that things may be missing. */
type Found = { things: Thing[]; loading: boolean; failed: boolean };
const progressOf = (readings: { loading: boolean; error: Error | undefined }[]) => ({
  loading: readings.some(({ loading }) => loading),
  failed: readings.some(({ error }) => error && (error as ApiError).status !== 404), // 404: an id of another kind
});
type Section = Schemas["PortalSection"];

const { kinds } = texts.palette;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The path if the session may call the operation, and null otherwise. */
function useUnless(): (section: Section, operation: string, path: string) => string | null {
  const { operations } = useSession();
  return (section, operation, path) => (operations[section]?.includes(operation) ? path : null);
}

/** @param isWanted reads the lists when it becomes true */
export function useThings(isWanted: boolean): Found {
  const unless = useUnless();
  const wanted: typeof unless = (...operation) => (isWanted ? unless(...operation) : null);
  const endpoints = useAllLoading<Schemas["Webhook"]>(wanted("endpoints", "list_webhooks", "/webhooks"));
  const keys = useAllLoading<Schemas["Key"]>(wanted("keys", "list_keys", "/keys"));
  const bots = useAllLoading<Schemas["Bot"]>(wanted("bots", "list_bots", "/bots"));
  const routines = useAllLoading<Schemas["Routine"]>(wanted("routines", "list_routines", "/routines"));
  const hooks = useAllLoading<Schemas["Hook"]>(wanted("hooks", "list_hooks", "/hooks"));
  const members = useAllLoading<Schemas["Member"]>(wanted("members", "list_members", "/members"));
  const runs = useList<Schemas["Run"]>(wanted("runs", "list_runs", "/runs"), { limit: 200 });
  const botName = new Map(bots.rows.map(({ id, name }) => [id, name]));
  const things = [
    ...endpoints.rows.map(({ id, url, description }) => ({
      ...{ id, kind: kinds.endpoint, href: `/portal/endpoints/${id}` },
      title: description ? `${description}, ${url}` : url,
    })),
    ...keys.rows.map(({ id, name, prefix }) => ({
      ...{ id, kind: kinds.key, href: `/portal/keys/${id}` },
      title: `${name}, ${prefix}`,
    })),
    ...bots.rows.map(({ id, name }) => ({ id, kind: kinds.bot, href: `/portal/bots/${id}`, title: name })),
    ...routines.rows.map(({ id, name }) => ({ id, kind: kinds.routine, href: `/portal/routines/${id}`, title: name })),
    ...hooks.rows.map(({ id, name }) => ({ id, kind: kinds.hook, href: `/portal/hooks/${id}`, title: name })),
    ...members.rows.map(({ userId, displayName, email }) => ({
      ...{ id: userId, kind: kinds.member, href: "/portal/members" },
      title: displayName ? `${displayName}, ${email}` : email,
    })),
    ...runs.rows.map((run) => runThing(run, botName.get(run.botId))),
  ];
  return { things, ...progressOf([endpoints, keys, bots, routines, hooks, members, runs]) };
}

const runThing = ({ id, state, createdAt }: Schemas["Run"], name = id): Thing => ({
  ...{ id, kind: kinds.run, href: `/portal/runs/${id}` },
  title: `${name}, ${state}, ${localTime(createdAt)}`,
});

/** What has this id, if the text is one: for things that no list above has. */
export function useThingById(text: string): Found {
  const unless = useUnless();
  const id = text.trim().toLowerCase();
  const path = (section: Section, operation: string, list: string) =>
    uuid.test(id) ? unless(section, operation, `/${list}/${id}`) : null;
  const delivery = useOne<Schemas["DeliveryInFull"]>(path("endpoints", "get_delivery", "deliveries"));
  const run = useOne<Schemas["Run"]>(path("runs", "get_run", "runs"));
  const approval = useOne<Schemas["Approval"]>(path("approvals", "get_approval", "approvals"));
  const memory = useOne<Schemas["Memory"]>(path("memories", "get_memory", "memories"));
  const things: Thing[] = [];
  if (delivery.data) {
    const { event, state, createdAt } = delivery.data;
    const title = `${event}, ${state}, ${localTime(createdAt)}`;
    things.push({ id, title, kind: kinds.delivery, href: `/portal/endpoints/deliveries/${id}` });
  }
  if (run.data) things.push(runThing(run.data));
  if (approval.data) {
    const title = `${approvalTexts.kinds[approval.data.kind]}, ${approval.data.state}`;
    things.push({ id, title, kind: kinds.approval, href: `/portal/approvals/${id}` });
  }
  if (memory.data) things.push({ id, title: memory.data.subject, kind: kinds.memory, href: `/portal/memories/${id}` });
  return { things, ...progressOf([delivery, run, approval, memory]) };
}
