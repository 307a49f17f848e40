/** The lists of an organisation: which query tells each, and what is shown of a row. */

import type { Action } from "../actions/action.ts";
import { answerCard, mintKey, resendInvitation, revokeKey } from "../actions/things.ts";
import { html, type Shown } from "../html.ts";
import { actions } from "../parts/actions.ts";
import { actColumns } from "../parts/acts.ts";
import { badge } from "../parts/badge.ts";
import { ofOrganisation } from "../parts/deliveries.ts";
import { toThing } from "../parts/rows.ts";
import { runColumns } from "../parts/runs.ts";
import type { Column } from "../parts/table.ts";
import { ofAnOrganisation } from "../parts/trail.ts";
import { When } from "../times.ts";
import type { List } from "./organisation-list.ts";

// biome-ignore lint/suspicious/noExplicitAny: a row is what its query asks for
type Row = any;

const when = (head: string, name: string, none?: string): Column<Row> => ({
  head,
  cell: (row) => html`<${When} at=${row[name]} none=${none} />`,
});
const text = (head: string, name: string): Column<Row> => ({ head, long: true, cell: (row) => row[name] ?? "–" });
const state = (of: (row: Row) => string = (row) => row.state): Column<Row> => ({
  head: "State",
  cell: (row) => badge(of(row)),
});
const person = (head: string, name: string): Column<Row> => ({
  head,
  long: true,
  cell: (row) => row[name] && toThing("people", row[name].id, row[name].email),
});

/** What can be done to a row, and to what it would be done. */
const act = (all: (row: Row) => Action[], of: (row: Row) => object, about: (row: Row) => Shown): Column<Row> => ({
  head: "Actions",
  cell: (row) => actions(all(row), { organisation: row.of, ...of(row) }, about(row)) ?? "–",
});

const lifeOfKey = ({ revokedAt, expiresAt }: Row): string =>
  revokedAt ? "revoked" : Date.parse(expiresAt) < Date.now() ? "expired" : "live";

const ofBot: Column<Row> = { head: "Bot", long: true, cell: ({ bot }) => bot?.name ?? "–" };

/** By the name of the tab. */
export const lists: Record<string, List> = {
  members: {
    words: "Members",
    query: "organisation-members",
    field: "members",
    none: "It has no member.",
    columns: [
      { head: "Person", long: true, cell: ({ personId, email }) => toThing("people", personId, email) },
      text("Name", "displayName"),
      text("Role", "role"),
      when("Since", "createdAt"),
      act(
        ({ role }) => (role === "member" ? [] : [mintKey]),
        ({ personId }) => ({ person: personId }),
        ({ email }) => html`A key of the organisation that acts as <strong>${email}</strong>.`,
      ),
    ],
  },
  keys: {
    words: "Keys",
    query: "organisation-keys",
    field: "keys",
    none: "It has no key.",
    columns: [
      text("Name", "name"),
      { head: "Begins", cell: ({ prefix }) => html`<code>${prefix}</code>` },
      text("Scope", "scope"),
      state(lifeOfKey),
      person("Acts as", "creator"),
      when("Last used", "lastUsedAt", "never"),
      when("Expires", "expiresAt"),
      act(
        (row) => (lifeOfKey(row) === "live" ? [revokeKey] : []),
        ({ id }) => ({ key: id }),
        ({ name, prefix }) => html`The key <strong>${name}</strong>, which begins <code>${prefix}</code>.`,
      ),
    ],
  },
  endpoints: {
    words: "Endpoints",
    query: "organisation-endpoints",
    field: "endpoints",
    none: "It has no endpoint.",
    columns: [
      { head: "Host", long: true, cell: ({ id, host }) => toThing("endpoints", id, host) },
      text("Description", "description"),
      state((row) => (row.deletedAt ? "deleted" : row.state)),
      { head: "Failed in a row", number: true, cell: ({ consecutiveFailures }) => consecutiveFailures },
      when("In trouble since", "troubledSince"),
      when("Last arrived", "lastDeliveryAt", "never"),
    ],
  },
  deliveries: {
    words: "Deliveries",
    query: "organisation-deliveries",
    field: "deliveries",
    none: "Nothing was ever sent to it.",
    columns: ofOrganisation,
  },
  runs: {
    words: "Runs",
    query: "organisation-runs",
    field: "runs",
    none: "It has no run.",
    columns: runColumns,
  },
  cards: {
    words: "Cards",
    query: "organisation-approvals",
    field: "approvals",
    none: "No card was raised.",
    columns: [
      { head: "Card", cell: ({ kind, runId }) => toThing("runs", runId, kind) },
      state(),
      person("Asked of", "person"),
      { head: "Mailed", cell: ({ mailed }) => (mailed ? "yes" : "no") },
      when("Raised", "createdAt"),
      when("Expires", "expiresAt"),
      when("Answered", "answeredAt"),
      act(
        (row) => (row.state === "expired" ? answerCard : []),
        ({ id }) => ({ card: id }),
        ({ kind, person: asked }) =>
          html`A card (${kind}) that <strong>${asked?.email}</strong> was asked and did not answer in time.`,
      ),
    ],
  },
  invitations: {
    words: "Invitations",
    query: "organisation-invitations",
    field: "invitations",
    none: "Nobody was invited.",
    columns: [
      text("To", "email"),
      text("As", "role"),
      state(),
      person("Invited by", "inviter"),
      when("Made", "createdAt"),
      when("Expires", "expiresAt"),
      act(
        (row) => (["open", "expired"].includes(row.state) ? [resendInvitation] : []),
        ({ id }) => ({ invitation: id }),
        ({ email }) => html`The invitation of <strong>${email}</strong>.`,
      ),
    ],
  },
  bots: {
    words: "Bots",
    query: "organisation-bots",
    field: "bots",
    none: "It has no bot.",
    columns: [
      text("Name", "name"),
      text("Model", "model"),
      text("Seen by", "visibility"),
      state((row) => (row.deletedAt ? "deleted" : "live")),
      person("Owner", "owner"),
      when("Made", "createdAt"),
    ],
  },
  routines: {
    words: "Routines",
    query: "organisation-routines",
    field: "routines",
    none: "It has no routine.",
    columns: [
      text("Name", "name"),
      ofBot,
      { head: "Schedule", cell: ({ schedule, timeZone }) => html`<span><code>${schedule}</code> ${timeZone}</span>` },
      state((row) => (row.deletedAt ? "deleted" : row.state)),
      when("Next", "nextFiringAt"),
      {
        head: "Last",
        cell: ({ lastRunId, lastFiredAt }) => toThing("runs", lastRunId, html`<${When} at=${lastFiredAt} />`),
      },
      text("Last skipped because", "lastSkipReason"),
    ],
  },
  hooks: {
    words: "Hooks",
    query: "organisation-hooks",
    field: "hooks",
    none: "It has no inbound webhook.",
    columns: [
      text("Name", "name"),
      ofBot,
      state((row) => (row.deletedAt ? "deleted" : row.state)),
      when("Last received", "lastReceivedAt", "never"),
      when("Made", "createdAt"),
    ],
  },
  mails: {
    words: "Mails",
    query: "organisation-mails",
    field: "mails",
    none: "No mail was written.",
    columns: [
      text("Kind", "kind"),
      text("To", "recipient"),
      state((row) => (row.sentAt ? "sent" : "waiting")),
      when("Written", "createdAt"),
      when("Sent", "sentAt"),
    ],
  },
  trail: {
    words: "Trail",
    query: "organisation-trail",
    field: "trail",
    none: "Nothing was written.",
    columns: ofAnOrganisation,
  },
  acts: {
    words: "Acts",
    query: "organisation-acts",
    field: "acts",
    none: "No operator has done anything here.",
    columns: actColumns,
  },
  erasures: {
    words: "Erasures",
    query: "organisation-erasures",
    field: "erasures",
    none: "Nobody was forgotten.",
    columns: [
      text("Of a", "subjectKind"),
      { head: "Claims", number: true, cell: ({ memories }) => memories },
      { head: "Of history", number: true, cell: ({ history }) => history },
      { head: "Proposals", number: true, cell: ({ proposals }) => proposals },
      { head: "Left", cell: ({ complete }) => (complete ? "nothing" : "more is held") },
      when("At", "erasedAt"),
    ],
  },
};
