/** Fixtures of endpoints with due deliveries, and calls of jobs.lease_deliveries. */
import type { TestDatabase } from "./database.ts";
import { leaseDeliveries, type Step } from "./worker.ts";

export type EndpointKey = { organisationId: string; endpointId: string };

export async function makeEndpoint(db: TestDatabase, organisationId: string): Promise<EndpointKey> {
  const [made] = await db.sql<{ id: string }>(
    `insert into app.webhook_endpoints (organisation_id, url, events, secret_sealed)
     values ($1, 'https://receiver.example/', '{run.finished}', 'sealed') returning id`,
    [organisationId],
  );
  return { organisationId, endpointId: made?.id ?? "" };
}

/** Creates due deliveries to the endpoint. */
export async function makeDue(
  db: TestDatabase,
  { organisationId, endpointId }: EndpointKey,
  count: number,
  kind = "webhook.test",
): Promise<void> {
  await db.sql(
    `with event as (
       insert into app.events (organisation_id, kind, data) values ($1, $4::app.event_kind, '{}') returning id
     )
     insert into app.deliveries (organisation_id, endpoint_id, event_id, event)
     select $1, $2, event.id, $4::app.event_kind from event, generate_series(1, $3::integer)`,
    [organisationId, endpointId, count, kind],
  );
}

type Queries = Parameters<typeof leaseDeliveries>[0];

/** Leases due deliveries of these endpoints in one statement. */
export const leaseDue = (db: Queries, ...endpoints: EndpointKey[]): Promise<Step[]> =>
  leaseDeliveries(
    db,
    endpoints.map((endpoint) => ({ ...endpoint, wantsMore: true, requeue: false })),
  );

export type Answer = { statusCode: number | null; failure?: string | null; retryAfterSeconds?: number | null };

/** Records outcomes of attempts in one statement, in this order, and leases nothing. */
export async function record(
  db: Queries,
  organisationId: string,
  outcomes: readonly (readonly [Step, Answer])[],
): Promise<void> {
  const endpoints = new Set(outcomes.map(([{ endpointId }]) => endpointId));
  await leaseDeliveries(
    db,
    [...endpoints].map((endpointId) => ({ organisationId, endpointId, wantsMore: false, requeue: false })),
    outcomes.map(([step, answer]) => ({
      ...step,
      organisationId,
      durationMs: 5,
      failure: null,
      retryAfterSeconds: null,
      ...answer,
    })),
  );
}
