/** The English texts around the pages: navigation, search, the session and its end. */
import type { StreamState } from "../../parts/event-stream.ts";
import type { Schemas } from "../schemas.ts";

export const frameTexts = {
  noSession: {
    title: "No session",
    text: "This page opens by a link from the application that you came from. The link works once and within 5 minutes.",
  },
  left: {
    title: "You are logged out",
    text: "Go back to the application to open the portal again.",
  },
  ended: {
    title: "The session has ended",
    text: "Go back to the application and open the portal again.",
    back: "Back to the application",
    soon: "This session ends at",
    save: "Save what you are writing.",
    copy: "The session ended before this was saved or copied. Copy it before you leave this page.",
  },
  changed: {
    text: "Your role has changed to",
    shown: "The portal now shows what this role may see.",
    copy: "Your role changed before this was saved or copied. Copy it before you leave this page.",
  },
  unsaved: "Not saved",
  suspended: {
    title: "The organisation is suspended",
    text: "An operator of the service has suspended the organisation. Nothing is deleted. Go back to the application, or ask the operator. Reload this page when the suspension is lifted.",
  },
  readOnly: "Read-only",
  viewAs: {
    viewer: "an operator views as",
    text: "You view this portal as an operator of the service. It shows what this person sees. You cannot change anything. The view ends",
  },
  failed: "The portal does not open",
  notFound: { title: "No such page", text: "The address does not exist, or your role does not reach it." },
  logOut: "Log out",
  palette: {
    button: "Search",
    placeholder: "Page, name, address, key prefix or id",
    none: "Nothing found. The search reads names, addresses, key prefixes and ids.",
    loading: "Searching…",
    kinds: {
      endpoint: "Endpoint",
      key: "API key",
      bot: "Bot",
      routine: "Routine",
      hook: "Hook",
      member: "Member",
      run: "Run",
      delivery: "Delivery",
      approval: "Approval",
      memory: "Memory",
    },
  },
  skip: "Skip to content",
  sections: "Sections",
  titles: {
    overview: "Overview",
    endpoints: "Endpoints",
    events: "Events",
    keys: "API keys",
    runs: "Runs",
    approvals: "Approvals",
    bots: "Bots",
    memories: "Memories",
    routines: "Routines",
    hooks: "Hooks",
    members: "Members",
    audit: "Audit log",
  } satisfies Record<Schemas["PortalSection"], string>,
  /** What a copy button copies. */
  copied: {
    key: "key",
    secret: "secret",
    url: "URL",
    data: "data",
    payload: "payload",
    hash: "hash",
    receipt: "receipt",
    sample: (language: string) => `${language} sample`,
  },
  counts: { approvals: "pending", endpoints: "need attention", hooks: "need attention" },
  groups: { start: "", work: "Bots and runs", connections: "Connections", organisation: "Organisation" },
  stream: {
    connecting: "Connecting",
    live: "Live",
    reconnecting: "Connection lost, connecting again",
    ended: "Ended",
    failed: "Not live. Reload the page.",
  } satisfies Record<StreamState, string>,
};
