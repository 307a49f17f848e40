/** Columns of deliveries. */
import { html } from "../html.ts";
import { outcome } from "../labels.ts";
import { When } from "../times.ts";
import { badge } from "./badge.ts";
import { shortId } from "./ids.ts";
import { linkTo } from "./rows.ts";
import type { Column } from "./table.ts";

/** Not every query selects all fields. */
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
  cell: ({ endpoint }) => endpoint && linkTo("endpoints", endpoint.id, endpoint.host),
};
const state: Column<Delivery> = { head: "State", cell: (delivery) => delivery.state && badge(delivery.state) };
const attempts: Column<Delivery> = {
  head: "Attempts",
  number: true,
  cell: (delivery) => (delivery.maxAttempts ? `${delivery.attempts} of ${delivery.maxAttempts}` : delivery.attempts),
};
const last: Column<Delivery> = {
  head: "Last outcome",
  long: true,
  cell: ({ lastStatusCode, lastFailure }) => outcome(lastStatusCode, lastFailure),
};
const created: Column<Delivery> = { head: "Created", cell: ({ createdAt }) => html`<${When} at=${createdAt} />` };
const lastAttempt: Column<Delivery> = {
  head: "Last attempt",
  cell: ({ lastAttemptAt }) => html`<${When} at=${lastAttemptAt} />`,
};
const next: Column<Delivery> = {
  head: "Next attempt",
  cell: ({ nextAttemptAt }) => html`<${When} at=${nextAttemptAt} />`,
};

export const endpointDeliveryColumns = [name, state, attempts, last, created, lastAttempt, next];
export const waitingColumns = [name, attempts, last, next];
export const failedColumns = [name, attempts, last, created, lastAttempt];
export const failedDeliveryColumns = [name, to, last, created];
export const organisationDeliveryColumns = [name, to, state, attempts, last, created, lastAttempt];
