/** Enumerations of the contract have the values of their types in PostgreSQL. */

import { openApiDocument } from "../../src/api/openapi/document.ts";
import { eventKinds } from "../../src/contract/event-kinds.ts";
import { events } from "../../src/contract/events.ts";
import { optInEvents } from "../../src/contract/opt-in-events.ts";
import type { Json } from "../support/api.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";

/** Place in the schemas of the document, by type of schema app. */
const places: Record<string, string> = {
  organisation_kind: "OrganisationKind",
  billing_state: "BillingState",
  member_role: "MemberRole",
  key_scope: "KeyScope",
  portal_section: "PortalSection",
  bot_visibility: "BotVisibility",
  direct_conversation: "DirectConversation",
  message_author: "Message/properties/author",
  run_state: "RunState",
  run_trigger: "RunTrigger",
  run_error: "RunErrorCode",
  memory_scope: "Memory/properties/scope",
  subject_kind: "SubjectKind",
  provenance: "Provenance",
  lawful_basis: "LawfulBasis",
  event_kind: "EventKind",
  endpoint_state: "WebhookState",
  disabled_reason: "Webhook/properties/disabledReason/anyOf/0",
  delivery_state: "DeliveryState",
  attempt_trigger: "Attempt/properties/trigger",
  attempt_failure: "DeliveryFailure",
  approval_kind: "ApprovalKind",
  approval_state: "ApprovalState",
  language: "Language",
  automation_state: "Routine/properties/state",
  pause_reason: "PauseReason",
  skip_reason: "Routine/properties/lastSkipReason/anyOf/0",
  audit_actor: "AuditActor",
  audit_action: "AuditAction",
  audit_stream_format: "AuditStreamFormat",
};

/** Types whose values no response contains. */
const internal = ["mail_kind", "memory_change", "restriction_change", "operator_scope"];

const { schemas } = openApiDocument("http://127.0.0.1:3000").components as Json;
const valuesAt = (place: string): string[] => {
  const schema = place.split("/").reduce((parent, name) => parent[name], schemas);
  return (schema.$ref ? schemas[schema.$ref.split("/").at(-1)] : schema).enum.toSorted();
};

let db: TestDatabase;
const types: Record<string, string[]> = {};

beforeAll(async () => {
  db = await testDatabase();
  const rows = await db.sql<{ type: string; values: string[] }>(
    `select typname::text as type, array_agg(enumlabel::text) as values
     from pg_enum join pg_type on pg_type.oid = enumtypid where typnamespace = 'app'::regnamespace group by typname`,
  );
  for (const { type, values } of rows) types[type] = values.toSorted();
});
afterAll(() => db.drop());

test("every enumeration of schema app is in the contract or internal", () => {
  expect(Object.keys(types).toSorted()).toEqual([...Object.keys(places), ...internal].toSorted());
});

test.each(Object.entries(places))("the contract has the values of app.%s", (type, place) => {
  expect(valuesAt(place)).toEqual(types[type]);
});

test("AuditResource has the resources of audit.logged_tables, and the audit log itself for truncations", async () => {
  const rows = await db.sql<{ resource: string }>("select distinct resource from audit.logged_tables");
  expect(valuesAt("AuditResource")).toEqual([...rows.map(({ resource }) => resource), "audit_log"].toSorted());
});

test("each kind of event has a definition, and an opt-in kind is in optInEvents", () => {
  const kindsOf = (list: readonly { kind: string }[]) => list.map(({ kind }) => kind).toSorted();
  const named = Object.entries(eventKinds).map(([kind, facts]) => ({ kind, ...facts }));
  expect(kindsOf(named)).toEqual(kindsOf(events));
  expect(kindsOf(named.filter(({ isOptIn }) => isOptIn))).toEqual(kindsOf(optInEvents));
});
