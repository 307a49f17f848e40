/**
 * PostGraphile reads the catalogue of every schema, with the text of every function, and keeps it as long as the GraphQL
 * schema: 40 MB. This reduces what it reads to one schema, the types of that schema and of app, and those of PostgreSQL.
 */
import "postgraphile";

type Query = { text: string };
type Client = { query(query: Query): Promise<unknown> };
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
            ? { query: (query) => client.query({ ...query, text: narrow(query.text, schema) }) }
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

/** @throws Error if the query of a later PostGraphile has other conditions */
export function narrow(text: string, schema: string): string {
  const wanted = `'${schema}'::regnamespace`;
  const returned = `select prorettype from pg_catalog.pg_proc where pronamespace = ${wanted}`;
  return [
    ["relnamespace", `(relnamespace = ${wanted} or reltype in (${returned}))`],
    ["connamespace", `connamespace = ${wanted}`],
    ["pronamespace", `pronamespace = ${wanted}`],
    ["typnamespace", `typnamespace in (${wanted}, 'app'::regnamespace)`],
  ].reduce((narrowed, [column, condition = ""]) => {
    const ofEverySchema = `${column} ${everySchema}`;
    if (!narrowed.includes(ofEverySchema))
      throw new Error(`The introspection of PostGraphile has no condition on ${column}.`);
    return narrowed.replace(ofEverySchema, condition);
  }, text);
}

const everySchema =
  "in (select namespaces._id from namespaces where nspname <> 'information_schema' and nspname not like 'pg\\_%')";
