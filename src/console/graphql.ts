/**
 * Serves /graphql. Bounds are checked before planning. Queries run in read-only transactions; mutations are operator
 * actions, whose SQL functions check the token's scope. Errors contain neither SQL nor a stack trace.
 */
import type { Server } from "node:http";
import express, { type Request, type RequestHandler, Router } from "express";
import { grafserv } from "postgraphile/grafserv/express/v4";
import { type GraphQLSchema, parse, validate } from "postgraphile/graphql";
import { faultOf, type Log } from "../log.ts";
import { boundsBroken } from "./bounds.ts";
import { Refusal } from "./refusal.ts";

export type GraphQl = { routes: RequestHandler; release(): Promise<void> };

type Served = { routes: Router; release(): Promise<void> };

/**
 * An operator's first request makes the schema, because that takes 1.4 s of processor time. The page asks for data a moment
 * after its document.
 *
 * @param schema as schemaOf returns it
 */
export function graphQl(
  preset: GraphileConfig.Preset,
  schema: () => Promise<GraphQLSchema>,
  server: Server,
  log: Log,
): GraphQl {
  let served: Promise<Served> | undefined;
  const serve = () => {
    served ??= start(preset, schema, server).catch((error) => {
      served = undefined;
      throw error;
    });
    return served;
  };
  return {
    async routes(request, response, next) {
      const made = serve();
      if (/^\/(graphql|graphiql\/.*)$/.test(request.path)) return void (await made).routes(request, response, next);
      made.catch((error) =>
        log.warn({ error: faultOf(error) }, "making the GraphQL schema failed, the next request will retry"),
      );
      next();
    },
    release: async () => (await served?.catch(() => undefined))?.release(),
  };
}

async function start(
  preset: GraphileConfig.Preset,
  schema: () => Promise<GraphQLSchema>,
  server: Server,
): Promise<Served> {
  const instance = grafserv({ preset, schema: await schema() });
  const routes = Router();
  routes.post("/graphql", express.json({ limit: "100kb" }), async (request, _response, next) => {
    const present = await schema();
    instance.setSchema(present);
    validateRequest(present, request);
    next();
  });
  await instance.addTo(routes as never, server, false);
  return { routes, release: () => Promise.resolve(instance.release()) };
}

/** Refuses invalid and oversized requests. */
function validateRequest(schema: GraphQLSchema, request: Request): void {
  const { query, variables, operationName } = (request.body ?? {}) as Record<string, unknown>;
  if (typeof query !== "string") throw new Refusal("invalid_request", {}, "Send one request: an object with a query.");
  const document = attempt(() => parse(query));
  const [fault] = validate(schema, document);
  if (fault) throw new Refusal("invalid_request", {}, fault.message);
  const broken = boundsBroken(schema, document, {
    operationName: typeof operationName === "string" ? operationName : undefined,
    variables: (variables ?? {}) as Record<string, unknown>,
  });
  if (broken) throw new Refusal("query_too_large", {}, broken);
}

function attempt<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Refusal("invalid_request", {}, (error as Error).message);
  }
}
