/**
 * PostGraphile reads the catalogue of every schema, with the text of every function, and keeps it as long as the GraphQL
 * schema: 40 MB. This reduces what it reads to one schema and the types of PostgreSQL.
 */
import "postgraphile";

type Row = Record<string, unknown>;
type Result = { rows: { introspection: string }[] };
type Client = { query(query: object): Promise<Result> };
type WithClient = (settings: object | null, use: (client: Client) => unknown) => unknown;

/** Only the introspection uses these settings, so their identity marks its client. */
const introspectionSettings = {};

export function introspectOnly<Service extends GraphileConfig.PgServiceConfiguration>(
  schema: string,
  service: Service,
): Service {
  const { adaptor } = service;
  const createWithPgClient: typeof adaptor.createWithPgClient = async (...options) => {
    const original = await adaptor.createWithPgClient(...options);
    const withClient: WithClient = (settings, use) =>
      (original as unknown as WithClient)(settings, (client) =>
        use(
          settings === introspectionSettings
            ? { query: async (query) => narrow(await client.query(query), schema) }
            : client,
        ),
      );
    return Object.assign(withClient as unknown as typeof original, { release: original.release });
  };
  return {
    ...service,
    pgSettingsForIntrospection: introspectionSettings,
    adaptor: { ...adaptor, createWithPgClient },
  };
}

function narrow({ rows: [row] }: Result, schema: string): Result {
  const { namespaces, ...introspection } = JSON.parse(row?.introspection ?? "{}") as Record<string, Row[]>;
  const wanted = namespaces?.find(({ nspname }) => nspname === schema)?._id;
  const keep = (list: string, isKept: (row: Row) => boolean) => {
    introspection[list] = introspection[list]?.filter(isKept) ?? [];
    return new Set(introspection[list].map(({ _id }) => _id));
  };
  const procs = keep("procs", ({ pronamespace }) => pronamespace === wanted);
  const returned = new Set(introspection.procs?.map(({ prorettype }) => prorettype));
  const classes = keep("classes", ({ relnamespace, reltype }) => relnamespace === wanted || returned.has(reltype));
  const constraints = keep("constraints", ({ connamespace }) => connamespace === wanted);
  const types = keep("types", () => true);
  keep("attributes", ({ attrelid }) => classes.has(attrelid));
  keep("indexes", ({ indrelid }) => classes.has(indrelid));
  keep("inherits", ({ inhrelid }) => classes.has(inhrelid));
  keep("policies", () => false);
  keep("descriptions", ({ objoid }) => [classes, procs, constraints, types].some((kept) => kept.has(objoid)));
  keep("depends", ({ objid }) => [classes, procs, constraints, types].some((kept) => kept.has(objid)));
  for (const proc of introspection.procs ?? []) proc.prosrc = "";
  return { rows: [{ introspection: JSON.stringify({ ...introspection, namespaces }) }] };
}
