/**
 * Where a statement is weaker by intention, with the reason. `instead` is the condition that is proven in its place. Without it
 * nothing is said about these rows. A test fails if an exception is not needed.
 */
import type { Command } from "./catalogue.ts";
import { credential, organisation } from "./settings.ts";

export type StatementName = "organisation" | "private" | "scope";

type Exception = {
  role: string;
  statement: StatementName;
  /** Absent: all tables. */
  tables?: string[];
  commands?: Command[];
  instead?: (condition: string) => string;
  why: string;
};

/** The first that fits decides. */
export const exceptions: Exception[] = [
  {
    role: "tenant",
    statement: "organisation",
    tables: ["app.idempotency_records"],
    instead: () =>
      `organisation_id = coalesce(${organisation}, '00000000-0000-0000-0000-000000000000') and key_id = ${credential}`,
    why: "Responses of a platform key, which belongs to no organisation, are stored under the nil id. Each credential reads its own.",
  },
  {
    role: "tenant",
    statement: "scope",
    tables: ["app.idempotency_records"],
    instead: () => `key_id = ${credential}`,
    why: "The response to a request is stored for any scope, as the credential's own.",
  },
  {
    role: "tenant",
    statement: "scope",
    tables: ["app.portal_sessions"],
    commands: ["update"],
    instead: (condition) => `${condition} or id = ${credential}`,
    why: "A session of any scope ends itself.",
  },
  {
    role: "owner",
    statement: "organisation",
    tables: ["app.people"],
    why: "A person belongs to several organisations. The functions of owner read people by their membership.",
  },
  {
    role: "owner",
    statement: "organisation",
    tables: ["app.audit_log"],
    commands: ["insert"],
    why: "Triggers write the entry of the row that was written, also in transactions of workers over several organisations.",
  },
  {
    role: "owner",
    statement: "organisation",
    tables: ["app.audit_chain_heads", "app.audit_pending_entries"],
    why: "Triggers move entries of a transaction into the chains of their organisations, also in transactions of workers.",
  },
  {
    role: "owner",
    statement: "organisation",
    instead: (condition) => `${organisation} is null or ${condition}`,
    why: "Migrations and maintenance set no organisation.",
  },
  { role: "owner", statement: "private", why: "The functions of owner state their condition themselves." },
  { role: "owner", statement: "scope", why: "A function of owner acts within an operation, whose scope is checked." },
  {
    role: "authenticator",
    statement: "organisation",
    tables: ["app.api_keys"],
    instead: () => "revoked_at is null and expires_at > now()",
    why: "A live key of any organisation is found by the digest of the presented credential.",
  },
  {
    role: "authenticator",
    statement: "organisation",
    tables: ["app.memberships"],
    instead: () => "role >= 'admin'",
    why: "Only owners and admins can hold a key.",
  },
  {
    role: "authenticator",
    statement: "organisation",
    tables: ["app.hooks"],
    instead: () => "deleted_at is null",
    why: "A hook of any organisation is found by its secret.",
  },
  {
    role: "authenticator",
    statement: "organisation",
    tables: ["app.invitations", "app.approvals", "app.organisations"],
    why: "The row of a mailed link is found by its digest. Few columns are granted.",
  },
  {
    role: "authenticator",
    statement: "private",
    tables: ["app.approvals"],
    why: "Only the id and the digest of the link are granted.",
  },
  {
    role: "searcher",
    statement: "organisation",
    tables: ["app.memories", "app.deliveries"],
    why: "A condition would keep PostgreSQL from the search index. The functions of searcher return ids of one organisation.",
  },
  {
    role: "searcher",
    statement: "private",
    tables: ["app.memories"],
    why: "Subject and value are not granted. The policies of tenant decide about the rows that were found.",
  },
];
