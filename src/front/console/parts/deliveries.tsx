/** Columns of deliveries. */

import { shortId } from "../../parts/id.tsx";
import { outcome } from "../labels.ts";
import { badge } from "./badge.tsx";
import { when } from "./columns.tsx";
import { type Endpoint, EndpointName } from "./endpoints.tsx";
import type { Column } from "./table.tsx";

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
  endpoint?: Endpoint | null;
};

const name: Column<Delivery> = {
  key: "delivery",
  phone: "title",
  title: "Delivery",
  sortBy: ({ event }) => event,
  order: "EVENT",
  render: ({ id, event }) => (
    <span>
      <a href={`/deliveries/${id}`}>{event}</a> <code class="quiet">{shortId(id)}</code>
    </span>
  ),
};
const to: Column<Delivery> = {
  key: "to",
  title: "To",
  long: true,
  sortBy: ({ endpoint }) => endpoint?.host,
  render: ({ endpoint }) => endpoint && <EndpointName {...endpoint} />,
};
const state: Column<Delivery> = {
  key: "state",
  phone: "state",
  title: "State",
  sortBy: (delivery) => delivery.state,
  order: "STATE",
  render: (delivery) => delivery.state && badge(delivery.state),
};
const attempts: Column<Delivery> = {
  key: "attempts",
  title: "Attempts",
  number: true,
  sortBy: (delivery) => delivery.attempts,
  order: "ATTEMPTS",
  render: (delivery) => (delivery.maxAttempts ? `${delivery.attempts} of ${delivery.maxAttempts}` : delivery.attempts),
};
const last: Column<Delivery> = {
  key: "last-outcome",
  title: "Last outcome",
  long: true,
  sortBy: ({ lastStatusCode, lastFailure }) => outcome(lastStatusCode, lastFailure),
  order: "LAST_STATUS_CODE",
  render: ({ lastStatusCode, lastFailure }) => outcome(lastStatusCode, lastFailure),
};
const created: Column<Delivery> = { ...when("Created", "createdAt"), phone: "time" };
const lastAttempt: Column<Delivery> = when("Last attempt", "lastAttemptAt");
const next: Column<Delivery> = when("Next attempt", "nextAttemptAt");

export const endpointDeliveryColumns = [name, state, attempts, last, created, lastAttempt, next];
export const failedDeliveryColumns: Column<Delivery>[] = [name, to, { ...last, phone: "state" }, created];
export const organisationDeliveryColumns = [name, to, state, attempts, last, created, lastAttempt];
