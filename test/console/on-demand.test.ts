/** GraphQL of the console starts at the first request, once, and again after a failure. */
import type { AddressInfo } from "node:net";
import { jest } from "@jest/globals";
import express, { Router } from "express";
import { pino } from "pino";
import type { GraphQl } from "../../src/console/graphql.ts";
import { onDemand } from "../../src/console/on-demand.ts";

const logged: string[] = [];
const log = pino({}, { write: (line: string) => void logged.push(line) });

function graphql(): GraphQl & { release: jest.Mock<() => Promise<void>> } {
  const routes = Router().get("/", (_request, response) => void response.json({ data: {} }));
  return { routes, release: jest.fn(async () => {}) };
}

async function ask(app: express.Express, times: number): Promise<number[]> {
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const statuses = await Promise.all(Array.from({ length: times }, async () => (await fetch(url)).status));
  server.close();
  server.closeAllConnections();
  return statuses;
}

test("concurrent first requests start GraphQL once; release ends it", async () => {
  const started = graphql();
  const start = jest.fn(async () => started);
  const { prepare, routes, release } = onDemand(start, log);
  expect(start).not.toHaveBeenCalled();
  expect(await ask(express().use(prepare, routes), 5)).toEqual([200, 200, 200, 200, 200]);
  expect(start).toHaveBeenCalledTimes(1);
  await release();
  expect(started.release).toHaveBeenCalledTimes(1);
});

test("release before the first request starts nothing", async () => {
  const start = jest.fn(async () => graphql());
  await onDemand(start, log).release();
  expect(start).not.toHaveBeenCalled();
});

test("a failed start is logged, its request fails, and the next request starts again", async () => {
  const start = jest.fn(async () => graphql()).mockRejectedValueOnce(new Error("connection refused"));
  const { prepare, routes } = onDemand(start, log);
  const app = express().use(prepare, routes);
  app.use(
    ((_error, _request, response, _next) => void response.status(503).end()) satisfies express.ErrorRequestHandler,
  );
  expect(await ask(app, 1)).toEqual([503]);
  expect(logged.at(-1)).toContain("the GraphQL schema could not be made");
  expect(await ask(app, 1)).toEqual([200]);
});
