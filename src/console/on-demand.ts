/**
 * GraphQL starts with the first request of an operator. Its libraries and its schema take 2 s of processor time and 40 MB,
 * which a console without visitors saves.
 */
import type { RequestHandler } from "express";
import { faultOf, type Log } from "../log.ts";
import type { GraphQl } from "./graphql.ts";

export type OnDemand = {
  /** Starts GraphQL without waiting for it, so that it is ready when the page asks. */
  prepare: RequestHandler;
  routes: RequestHandler;
  release(): Promise<void>;
};

/** @param start tried again at the next request if it fails */
export function onDemand(start: () => Promise<GraphQl>, log: Log): OnDemand {
  let started: Promise<GraphQl> | undefined;
  const begin = () => {
    started ??= start().catch((error: unknown) => {
      started = undefined;
      throw error;
    });
    return started;
  };
  return {
    prepare(_request, _response, next) {
      begin().catch((error: Error) => log.error({ error: faultOf(error) }, "the GraphQL schema could not be made"));
      next();
    },
    async routes(request, response, next) {
      const { routes } = await begin();
      routes(request, response, next);
    },
    release: async () => (await started?.catch(() => undefined))?.release(),
  };
}
