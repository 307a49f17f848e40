/** Deliveries as rows. */
import { html } from "../html.ts";
import { When } from "../times.ts";
import { outcome } from "../words.ts";
import { badge } from "./badge.ts";
import { shortId } from "./ids.ts";
import { toThing } from "./rows.ts";
import type { Column } from "./table.ts";

/** What a list does not ask for is not there. */
export type Delivery = {
  id: string;
  event: string;
  state?: string;
  attempts?: number;
  maxAttempts?: number;
  lastStatusCode: number | null;
  lastFailure: string | null;
  createdAt?: string;
  lastAttemptAt?: string | null;
  nextAttemptAt?: string | null;
  deliveredAt?: string | null;
  endpoint?: { id: string; host: string } | null;
};

const name: Column<Delivery> = {
  head: "Delivery",
  cell: ({ id, event }) =>
    html`<span><a href=${`/deliveries/${id}`}>${event}</a> <code class="quiet">${shortId(id)}</code></span>`,
};
const to: Column<Delivery> = {
  head: "To",
  long: true,
  cell: ({ endpoint }) => endpoint && toThing("endpoints", endpoint.id, endpoint.host),
};
const state: Column<Delivery> = { head: "State", cell: ({ state: held }) => held && badge(held) };
const attempts: Column<Delivery> = {
  head: "Attempts",
  number: true,
  cell: ({ attempts: made, maxAttempts }) => (maxAttempts ? `${made} of ${maxAttempts}` : made),
};
const last: Column<Delivery> = {
  head: "Last outcome",
  long: true,
  cell: ({ lastStatusCode, lastFailure }) => outcome(lastStatusCode, lastFailure),
};
const made: Column<Delivery> = { head: "Made", cell: ({ createdAt }) => html`<${When} at=${createdAt} />` };
const tried: Column<Delivery> = {
  head: "Last attempt",
  cell: ({ lastAttemptAt }) => html`<${When} at=${lastAttemptAt} />`,
};
const next: Column<Delivery> = {
  head: "Next attempt",
  cell: ({ nextAttemptAt }) => html`<${When} at=${nextAttemptAt} />`,
};

export const ofEndpoint = [name, state, attempts, last, made, tried, next];
export const waitingColumns = [name, attempts, last, next];
export const failedColumns = [name, attempts, last, made, tried];
export const failedElsewhere = [name, to, last, made];
export const ofOrganisation = [name, to, state, attempts, last, made, tried];
