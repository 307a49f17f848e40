/** The sections of the portal, in the order of the navigation within each group. Each page is loaded when it is first opened. */
import type { ComponentType } from "preact";
import { lazy } from "preact-iso";
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
    pages: [{ path: "/portal/", Page: lazy(() => import("./pages/overview.tsx")) }],
  },
  {
    name: "endpoints",
    group: "webhooks",
    pages: [
      { path: "/portal/endpoints", Page: lazy(() => import("./pages/endpoints.tsx")) },
      { path: "/portal/endpoints/:id", Page: lazy(() => import("./pages/endpoint.tsx")) },
      { path: "/portal/endpoints/deliveries/:id", Page: lazy(() => import("./pages/delivery.tsx")) },
    ],
  },
  {
    name: "events",
    group: "webhooks",
    pages: [
      { path: "/portal/events", Page: lazy(() => import("./pages/events.tsx")) },
      { path: "/portal/events/kinds", Page: lazy(() => import("./pages/event-kinds.tsx")) },
    ],
  },
  {
    name: "keys",
    group: "organisation",
    pages: [
      { path: "/portal/keys", Page: lazy(() => import("./pages/keys.tsx")) },
      { path: "/portal/keys/:id", Page: lazy(() => import("./pages/key.tsx")) },
    ],
  },
  {
    name: "runs",
    group: "work",
    pages: [
      { path: "/portal/runs", Page: lazy(() => import("./pages/runs.tsx")) },
      { path: "/portal/runs/:id", Page: lazy(() => import("./pages/run.tsx")) },
    ],
  },
  {
    name: "approvals",
    group: "work",
    pages: [
      { path: "/portal/approvals", Page: lazy(() => import("./pages/approvals.tsx")) },
      { path: "/portal/approvals/:id", Page: lazy(() => import("./pages/approval.tsx")) },
    ],
  },
  {
    name: "bots",
    group: "work",
    pages: [
      { path: "/portal/bots", Page: lazy(() => import("./pages/bots.tsx")) },
      { path: "/portal/bots/:id", Page: lazy(() => import("./pages/bot.tsx")) },
    ],
  },
  {
    name: "memories",
    group: "work",
    pages: [
      { path: "/portal/memories", Page: lazy(() => import("./pages/memories.tsx")) },
      { path: "/portal/memories/:id", Page: lazy(() => import("./pages/memory.tsx")) },
    ],
  },
  {
    name: "routines",
    group: "work",
    pages: [
      { path: "/portal/routines", Page: lazy(() => import("./pages/routines.tsx")) },
      { path: "/portal/routines/:id", Page: lazy(() => import("./pages/routine.tsx")) },
    ],
  },
  {
    name: "hooks",
    group: "webhooks",
    pages: [
      { path: "/portal/hooks", Page: lazy(() => import("./pages/hooks.tsx")) },
      { path: "/portal/hooks/:id", Page: lazy(() => import("./pages/hook.tsx")) },
    ],
  },
  {
    name: "members",
    group: "organisation",
    pages: [{ path: "/portal/members", Page: lazy(() => import("./pages/members.tsx")) }],
  },
  {
    name: "audit",
    group: "organisation",
    pages: [{ path: "/portal/audit", Page: lazy(() => import("./pages/audit.tsx")) }],
  },
];
