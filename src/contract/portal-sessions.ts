/** Portal sessions: links that open the portal for a member. (docs/specification/portal.md) */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { page, paging, storable, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";
import { portalSections } from "./portal-sections.ts";

const section = z.enum(portalSections).meta({ id: "PortalSection", description: "A section of the portal." });

const examplePortalSession = {
  id: ids.portalSession,
  personId: ids.owner,
  createdBy: ids.owner,
  sections: ["endpoints", "events"],
  readOnly: false,
  returnUrl: "https://app.example.com/settings",
  createdAt: times.created,
  openedAt: null,
  expiresAt: times.inAnHour,
  revokedAt: null,
};

const PortalSession = z
  .object({
    id: uuid,
    personId: uuid.meta({ description: "`userId` of the member as whom the session acts." }),
    createdBy: uuid
      .nullable()
      .meta({ description: "`userId` of the member whose key created the session. Null: an operator of the service." }),
    sections: z
      .array(section)
      .nullable()
      .meta({ description: "The sections that the session reaches. Null: all that the member's role reaches." }),
    readOnly: z.boolean().meta({ description: "Whether the session can only read." }),
    returnUrl: z.string().nullable().meta({ description: "Where the portal's way back leads." }),
    createdAt: timestamp,
    openedAt: timestamp.nullable().meta({ description: "When the link was used." }),
    expiresAt: timestamp,
    revokedAt: timestamp
      .nullable()
      .meta({ description: "When the session was revoked, the person logged out, or its creator lost the role." }),
  })
  .meta({ id: "PortalSession", description: "A session of a member in the portal.", examples: [examplePortalSession] });

const PortalSessionShownOnce = PortalSession.extend({
  url: z.url().meta({
    description:
      "The link to the portal, for the person's browser. It works once and within 5 minutes. Only this response contains it.",
  }),
}).meta({
  id: "PortalSessionShownOnce",
  examples: [{ ...examplePortalSession, url: "https://api.example.com/portal/#bsl_ExampleLink" }],
});

const NewPortalSession = z
  .object({
    personId: uuid.optional().meta({ description: "`userId` of a member. Default: the person of the key." }),
    userId: uuid.optional().meta({ description: "The same as `personId`, by the name that members have." }),
    sections: z
      .array(section)
      .min(1, "must name 1 section or more")
      .max(portalSections.length)
      .refine((given) => new Set(given).size === given.length, "must name each section once")
      .optional()
      .meta({ description: "The sections that the session reaches. Default: all that the member's role reaches." }),
    returnUrl: z
      .url({ protocol: /^https?$/, error: "must be an http or https address" })
      .max(2048)
      .refine(...storable)
      .optional()
      .meta({ description: "Where the portal's way back leads." }),
    expiresInMinutes: z
      .int("must be an integer from 1 to 60")
      .min(1)
      .max(60)
      .default(60)
      .meta({ description: "Minutes until the session ends, from the creation of the link." }),
  })
  .refine(({ personId, userId }) => !personId || !userId || personId === userId, {
    path: ["userId"],
    error: "must be the same as personId",
  })
  .meta({
    id: "NewPortalSession",
    examples: [
      { sections: ["endpoints", "events"], returnUrl: "https://app.example.com/settings", expiresInMinutes: 60 },
    ],
  });

export const portalSessions = [
  operation({
    name: "list_portal_sessions",
    method: "get",
    path: "/portal-sessions",
    scope: "admin",
    status: 200,
    summary: "List portal sessions",
    searchTerms: "signed in, users, who is logged in, who can log in, open sessions",
    description: "Lists sessions, newest first, until one day after their end.",
    query: z.object(paging),
    list: true,
    reply: page(PortalSession),
  }),
  operation({
    name: "create_portal_session",
    method: "post",
    path: "/portal-sessions",
    scope: "admin",
    inPerson: true,
    status: 201,
    summary: "Create portal session",
    searchTerms:
      "log in, sign in, single sign-on, SSO, embed, self-service, user interface, settings page, " +
      "our application, own screen, for customers, white label, show my customers, without a password, iframe, " +
      "let users see, give them a page, guest access, without an account",
    description:
      "Returns a link that opens the portal as a member. Send the person's browser there at once. Who uses the link is not " +
      "checked: signing in is the task of the application that creates it.",
    body: NewPortalSession,
    reply: PortalSessionShownOnce,
    secret: "portal-link",
    location: "/portal-sessions/",
    refusals: ["not_found"],
    reasons: ["member_above_own"],
  }),
  operation({
    name: "get_portal_session",
    method: "get",
    path: "/portal-sessions/{id}",
    scope: "admin",
    status: 200,
    summary: "Retrieve portal session",
    searchTerms: "status, expiry, has the link been opened",
    description: "Returns the session with its person and its end, without the link.",
    pointRead: true,
    reply: PortalSession,
    refusals: ["not_found"],
  }),
  operation({
    name: "revoke_portal_session",
    method: "delete",
    path: "/portal-sessions/{id}",
    scope: "admin",
    status: 200,
    summary: "Revoke portal session",
    searchTerms:
      "log out, sign out, terminate, throw out, kick out, close the session, right now, no more access, " +
      "take the page away",
    description:
      "The session ends at once, and an unused link opens nothing. Revoking twice changes nothing and returns the first " +
      "`revokedAt`.",
    reply: PortalSession,
    refusals: ["not_found"],
  }),
];
