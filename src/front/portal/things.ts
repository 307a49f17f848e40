/** Endpoints, keys, runs, bots and members for the command palette, within the sections of the session. */
import type { Command } from "../parts/command-palette.tsx";
import { useList } from "../parts/list.ts";
import { localTime } from "../parts/time.tsx";
import { useAllLoading } from "./read-all.ts";
import type { Schemas } from "./schemas.ts";
import { useSession } from "./session-context.ts";
import { texts } from "./texts.ts";

/** A thing with its page. */
export type Thing = Omit<Command, "run"> & { href: string };

const { kinds } = texts.palette;

/** @param isWanted reads the lists when it becomes true */
export function useThings(isWanted: boolean): { things: Thing[]; loading: boolean } {
  const { operations } = useSession();
  const unless = (section: Schemas["PortalSection"], operation: string, path: string) =>
    isWanted && operations[section]?.includes(operation) ? path : null;
  const endpoints = useAllLoading<Schemas["Webhook"]>(unless("endpoints", "list_webhooks", "/webhooks"));
  const keys = useAllLoading<Schemas["Key"]>(unless("keys", "list_keys", "/keys"));
  const bots = useAllLoading<Schemas["Bot"]>(unless("bots", "list_bots", "/bots"));
  const members = useAllLoading<Schemas["Member"]>(unless("members", "list_members", "/members"));
  const runs = useList<Schemas["Run"]>(unless("runs", "list_runs", "/runs"), { limit: 200 });
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
    ...members.rows.map(({ userId, displayName, email }) => ({
      ...{ id: userId, kind: kinds.member, href: "/portal/members" },
      title: displayName ? `${displayName}, ${email}` : email,
    })),
    ...runs.rows.map(({ id, botId, state, createdAt }) => ({
      ...{ id, kind: kinds.run, href: `/portal/runs/${id}` },
      title: `${botName.get(botId) ?? id}, ${state}, ${localTime(createdAt)}`,
    })),
  ];
  return { things, loading: [endpoints, keys, bots, members, runs].some(({ loading }) => loading) };
}
