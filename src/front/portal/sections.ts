/** The sections of the portal, in the order of the navigation. Each page is loaded when it is first opened. */
import type { ComponentType } from "preact";
import { lazy } from "preact-iso";

export type Section = {
  /** As in `sections` of a portal session. */
  name: string;
  title: string;
  pages: { path: string; Page: ComponentType<{ id?: string }> }[];
};

export const sections: Section[] = [
  {
    name: "overview",
    title: "Overview",
    pages: [{ path: "/portal/", Page: lazy(() => import("./pages/overview.tsx")) }],
  },
];
