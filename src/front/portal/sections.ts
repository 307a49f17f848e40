/** The sections of the portal, in the order of the navigation within each group. Each page is loaded when it is first opened. */
import type { ComponentType } from "preact";
import { lazyPage } from "../parts/lazy-page.tsx";
import type { Schemas } from "./schemas.ts";
import type { frameTexts as texts } from "./texts/frame.ts";

export type Section = {
  /** As in `sections` of a portal session. */
  name: Schemas["PortalSection"];
  /** Heading in the navigation. */
  group: keyof typeof texts.groups;
  pages: { path: string; Page: ComponentType<{ id?: string }> }[];
};

export const sections: Section[] = [
  {
    name: "overview",
    group: "start",
    pages: [
      { path: "/portal/", Page: lazyPage(() => import("./pages/overview.tsx")) },
      { path: "/portal/export", Page: lazyPage(() => import("./pages/export.tsx")) },
    ],
  },
  {
    name: "endpoints",
    group: "connections",
    pages: [
      { path: "/portal/endpoints", Page: lazyPage(() => import("./pages/endpoints.tsx")) },
      { path: "/portal/endpoints/:id", Page: lazyPage(() => import("./pages/endpoint.tsx")) },
      { path: "/portal/endpoints/deliveries/:id", Page: lazyPage(() => import("./pages/delivery.tsx")) },
    ],
  },
  {
    name: "events",
    group: "connections",
    pages: [
      { path: "/portal/events", Page: lazyPage(() => import("./pages/events.tsx")) },
      { path: "/portal/events/kinds", Page: lazyPage(() => import("./pages/event-kinds.tsx")) },
    ],
  },
  {
    name: "keys",
    group: "organisation",
    pages: [
      { path: "/portal/keys", Page: lazyPage(() => import("./pages/keys.tsx")) },
      { path: "/portal/keys/:id", Page: lazyPage(() => import("./pages/key.tsx")) },
    ],
  },
  {
    name: "runs",
    group: "work",
    pages: [
      { path: "/portal/runs", Page: lazyPage(() => import("./pages/runs.tsx")) },
      { path: "/portal/runs/:id", Page: lazyPage(() => import("./pages/run.tsx")) },
    ],
  },
  {
    name: "approvals",
    group: "work",
    pages: [
      { path: "/portal/approvals", Page: lazyPage(() => import("./pages/approvals.tsx")) },
      { path: "/portal/approvals/:id", Page: lazyPage(() => import("./pages/approval.tsx")) },
    ],
  },
  {
    name: "bots",
    group: "work",
    pages: [
      { path: "/portal/bots", Page: lazyPage(() => import("./pages/bots.tsx")) },
      { path: "/portal/bots/:id", Page: lazyPage(() => import("./pages/bot.tsx")) },
    ],
  },
  {
    name: "memories",
    group: "work",
    pages: [
      { path: "/portal/memories", Page: lazyPage(() => import("./pages/memories.tsx")) },
      { path: "/portal/memories/import", Page: lazyPage(() => import("./pages/memories-import.tsx")) },
      { path: "/portal/memories/:id", Page: lazyPage(() => import("./pages/memory.tsx")) },
    ],
  },
  {
    name: "routines",
    group: "work",
    pages: [
      { path: "/portal/routines", Page: lazyPage(() => import("./pages/routines.tsx")) },
      { path: "/portal/routines/:id", Page: lazyPage(() => import("./pages/routine.tsx")) },
    ],
  },
  {
    name: "hooks",
    group: "connections",
    pages: [
      { path: "/portal/hooks", Page: lazyPage(() => import("./pages/hooks.tsx")) },
      { path: "/portal/hooks/:id", Page: lazyPage(() => import("./pages/hook.tsx")) },
    ],
  },
  {
    name: "members",
    group: "organisation",
    pages: [{ path: "/portal/members", Page: lazyPage(() => import("./pages/members.tsx")) }],
  },
  {
    name: "audit",
    group: "organisation",
    pages: [{ path: "/portal/audit", Page: lazyPage(() => import("./pages/audit.tsx")) }],
  },
];
