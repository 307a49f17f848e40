/** Entries of the trail as rows: who did what to what, what changed of it, and in which request. */
import { html, type Shown } from "../html.ts";
import { When } from "../times.ts";
import { bySearch, toThing } from "./rows.ts";
import type { Column } from "./table.ts";

type Values = Record<string, unknown> | null;
export type TrailEntry = {
  id: string;
  createdAt: string;
  actor: string;
  keyId: string | null;
  operator: string | null;
  person: { id: string; email: string } | null;
  action: string;
  changed: string[] | null;
  before: Values;
  after: Values;
  /** What a list does not ask for is not there. */
  reason?: string | null;
  requestId?: string | null;
  resource?: string;
  resourceId?: string | null;
};

/** A person, an operator, or what of ours did it by itself. */
export const doer = ({ person, operator, actor }: TrailEntry): Shown =>
  person ? toThing("people", person.id, person.email) : (operator ?? actor.replaceAll("_", " "));

/** The trail keeps no name, address, word or secret: of these alone that they changed. */
function changes({ changed, before, after }: TrailEntry): string {
  const said = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  const told = (changed ?? []).map((name) =>
    before && after && name in before && name in after ? `${name}: ${said(before[name])} → ${said(after[name])}` : name,
  );
  return told.join(", ") || "–";
}

const at: Column<TrailEntry> = { head: "When", cell: ({ createdAt }) => html`<${When} at=${createdAt} />` };
const who: Column<TrailEntry> = { head: "Who", long: true, cell: doer };
const did: Column<TrailEntry> = {
  head: "Did",
  cell: ({ action, resource = "" }) => `${action} ${resource.replaceAll("_", " ")}`.trim(),
};
const what: Column<TrailEntry> = { head: "What", cell: ({ resourceId }) => bySearch(resourceId) };
const changed: Column<TrailEntry> = { head: "Changed", long: true, cell: changes };
const because: Column<TrailEntry> = { head: "Because", long: true, cell: ({ reason }) => reason ?? "–" };
const request: Column<TrailEntry> = {
  head: "Request",
  cell: ({ requestId }) => toThing("requests", requestId ?? null),
};

export const ofAnOrganisation = [at, who, did, what, changed, because, request];
export const ofOneThing = [at, who, did, changed, because, request];
export const ofOneRequest = [at, did, what, changed];
