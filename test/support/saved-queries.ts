/**
 * Executes the console's saved queries on a database as the console does. Returns their results, the statements that
 * reached PostgreSQL, and the plans of these statements.
 */
import { readdirSync, readFileSync } from "node:fs";
import { grafast } from "grafast";
import { type GraphQLSchema, parse } from "graphql";
import type { PoolClient } from "pg";
import { pino } from "pino";
import { postgraphile } from "postgraphile";
import { boundsBroken } from "../../src/console/bounds.ts";
import { consolePreset } from "../../src/console/preset.ts";
import { listQueries } from "../../src/console/queries/lists.ts";
import { definitionsDigest } from "../../src/database/definitions.ts";
import type { TestDatabase } from "./database.ts";
import { logPlans } from "./plans.ts";

const folder = new URL("../../src/console/queries/", import.meta.url);

/** By name: the name of a file, or of a list. */
export const savedQueries: Record<string, string> = {
  ...Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith(".graphql"))
      .map((file) => [file.replace(".graphql", ""), readFileSync(new URL(file, folder), "utf8")]),
  ),
  ...listQueries,
};

export type PlanNode = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: PlanNode[];
};

export type QueryResult = {
  // biome-ignore lint/suspicious/noExplicitAny: each query returns another shape
  data: any;
  errors: string[];
  /** Without statements for the connection, the transaction, its operator and prepared statements. */
  statements: string[];
  plans: PlanNode[];
};

export type Asker = {
  schema: GraphQLSchema;
  ask(source: string, variables?: object): Promise<QueryResult>;
  end(): Promise<void>;
};

/** @param explain whether PostgreSQL logs its plans */
export async function askerOf(db: TestDatabase, explain = false): Promise<Asker> {
  if (explain) await logPlans(db);
  const pool = db.poolAs("operator", 1);
  let statements: string[] = [];
  let plans: PlanNode[] = [];
  pool.on("connect", (client) => {
    listen(client, (text) => statements.push(text));
    client.on("notice", ({ message }) => {
      if (message?.includes("plan:")) plans.push(JSON.parse(message.slice(message.indexOf("{"))).Plan);
    });
  });
  const operator = { credential: Buffer.alloc(32) }; // views do not check the operator
  const preset = consolePreset(pool, db.key, "http://portal.invalid", definitionsDigest(), pino({ level: "silent" }));
  const instance = postgraphile(preset);
  const { schema, resolvedPreset } = await instance.getSchemaResult();
  return {
    schema,
    async ask(source, variables = {}) {
      statements = [];
      plans = [];
      const variableValues = declaredVariables(source, variables);
      const broken = boundsBroken(schema, parse(source), { operationName: undefined, variables: variableValues });
      if (broken) throw new Error(broken); // the console would refuse the query
      const result = await grafast({
        schema,
        source,
        variableValues,
        resolvedPreset,
        requestContext: { expressv4: { res: { locals: { operator } } } } as never,
      });
      if (!("data" in result || "errors" in result)) throw new Error("the answer comes in parts");
      const { data, errors = [] } = result as { data?: unknown; errors?: readonly { message: string }[] };
      return {
        data: JSON.parse(JSON.stringify(data ?? null)),
        errors: errors.map(({ message }) => message),
        statements: statements.filter(
          (text) => !/^\s*(begin|commit|rollback|deallocate|set jit_|select set_config\()/i.test(text),
        ),
        plans,
      };
    },
    end: async () => instance.release(),
  };
}

/** The variables that the query declares. */
function declaredVariables(source: string, variables: object): Record<string, unknown> {
  const names = parse(source).definitions.flatMap((definition) =>
    definition.kind === "OperationDefinition"
      ? (definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value)
      : [],
  );
  return Object.fromEntries(Object.entries(variables).filter(([name]) => names.includes(name)));
}

function listen(client: PoolClient, onStatement: (text: string) => void): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  Object.assign(client, {
    query(...args: unknown[]) {
      const [statement] = args as [string | { text: string }];
      onStatement(typeof statement === "string" ? statement : statement.text);
      return query(...args);
    },
  });
}
