/** Statements of the process itself, which has no credential. (sql/api/process.sql) */
import type { ApiPools } from "../database/connections/api-pools.ts";

/** Whether the process can serve: tries what a call does, and reads the digest of the definitions. */
export const callReadiness = (pools: ApiPools): Promise<{ definitions: string; worker: boolean }> =>
  read(pools, { name: "readiness", text: "select api.readiness()" });

/** The public keys of deliveries, in base64, newest first. */
export const callSigningKeys = (pools: ApiPools): Promise<string[]> =>
  read(pools, { name: "signing_keys", text: "select api.signing_keys()" });

/**
 * The organisation of a credential, live or not, in a cell.
 *
 * @param until the deadline (performance.now)
 * @returns isElsewhere: the organisation is on its way from or to this cell
 */
export const callOrganisationOf = (
  pools: ApiPools,
  credential: Buffer,
  until: number,
): Promise<{ organisationId: string | null; isElsewhere: boolean }> =>
  read(pools, { name: "organisation_of", text: "select api.organisation_of($1)" }, [credential], until);

/** Ids of organisations whose deletion has ended. */
export const callDeletedOrganisations = (pools: ApiPools): Promise<string[]> =>
  read(pools, { name: "deleted_organisations", text: "select api.deleted_organisations()" });

const stores = {
  request_minutes: { name: "count_minutes", text: "select api.count_request_minutes($1)" },
  key_days: { name: "count_key_days", text: "select api.count_key_days($1)" },
  refused_credentials: { name: "count_refused", text: "select api.count_refused_credentials($1)" },
};

/** Stores what a process counted. */
export async function callCounting(pools: ApiPools, what: keyof typeof stores, counts: object[]): Promise<void> {
  await pools.pooled.query(stores[what], [JSON.stringify(counts)]);
}

async function read<Answer>(
  pools: ApiPools,
  statement: { name: string; text: string },
  values: Buffer[] = [],
  until?: number,
): Promise<Answer> {
  return JSON.parse((await pools.point.query(statement, values, { until })) ?? "");
}
