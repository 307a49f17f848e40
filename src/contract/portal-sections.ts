/** Sections of the portal, in the order of its navigation. Each operation is in the section of its resource (resources.ts). */
export const portalSections = [
  "overview",
  "endpoints",
  "events",
  "keys",
  "runs",
  "approvals",
  "bots",
  "memories",
  "routines",
  "hooks",
  "members",
  "audit",
] as const;

export type PortalSection = (typeof portalSections)[number];
