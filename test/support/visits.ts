/** Endpoints with something due, and what a worker's visits say and are given: for tests of who is given what. */
import type { TestDatabase } from "./database.ts";
import { attend, type Step } from "./worker.ts";

export type Visited = { organisationId: string; endpointId: string };

export async function makeEndpoint(db: TestDatabase, organisationId: string): Promise<Visited> {
  const [made] = await db.sql<{ id: string }>(
    `insert into app.webhook_endpoints (organisation_id, url, events, secret_sealed)
     values ($1, 'https://receiver.example/', '{run.finished}', 'sealed') returning id`,
    [organisationId],
  );
  return { organisationId, endpointId: made?.id ?? "" };
}

/** That many deliveries to the endpoint, due at once. */
export async function makeDue(db: TestDatabase, { organisationId, endpointId }: Visited, count: number): Promise<void> {
  await db.sql(
    `with event as (
       insert into app.events (organisation_id, kind, data) values ($1, 'webhook.test', '{}') returning id
     )
     insert into app.deliveries (organisation_id, endpoint_id, event_id, event)
     select $1, $2, event.id, 'webhook.test' from event, generate_series(1, $3::integer)`,
    [organisationId, endpointId, count],
  );
}

type Queries = Parameters<typeof attend>[0];

/** What visits to these endpoints, all in one statement, are given to post. */
export const visit = (db: Queries, ...endpoints: Visited[]): Promise<Step[]> =>
  attend(
    db,
    endpoints.map((endpoint) => ({ ...endpoint, more: true, handOver: false })),
  );

export type Answer = { statusCode: number | null; failure?: string | null; retryAfterSeconds?: number | null };

/** Records what came of attempts, all in one statement and in this order, and asks for no more. */
export async function record(
  db: Queries,
  organisationId: string,
  outcomes: readonly (readonly [Step, Answer])[],
): Promise<void> {
  const endpoints = new Set(outcomes.map(([{ endpointId }]) => endpointId));
  await attend(
    db,
    [...endpoints].map((endpointId) => ({ organisationId, endpointId, more: false, handOver: false })),
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
