/** Operations of the portal itself. They are not part of the API: the credential is the token of the link, or the session. */
import { z } from "zod";
import { timestamp } from "./fields.ts";
import { operation } from "./operation.ts";

/** Opens the session of a link. Its cookie is made before, so that SQL gets its digest. */
export const openPortal = operation({
  name: "open_portal",
  method: "post",
  path: "/portal/enter",
  keyClass: "portal_link",
  scope: "read",
  status: 200,
  summary: "Open portal",
  description: "Once for each link.",
  body: z.object({ sessionDigest: z.string() }),
  reply: z.object({ expiresAt: timestamp }),
});

/** The session, its person and the operations that it may call, by section. */
export const readOwnPortalSession = operation({
  name: "get_own_portal_session",
  method: "get",
  path: "/portal-session",
  keyClass: "portal_session",
  scope: "read",
  status: 200,
  summary: "Retrieve current portal session",
  description: "Reading changes nothing.",
  reply: z.object({ id: z.uuid() }).loose(),
});

export const endOwnPortalSession = operation({
  name: "end_own_portal_session",
  method: "delete",
  path: "/portal-session",
  keyClass: "portal_session",
  scope: "read",
  status: 200,
  summary: "End current portal session",
  description: "Ending twice changes nothing.",
  reply: z.object({ id: z.uuid(), deleted: z.literal(true) }),
});
