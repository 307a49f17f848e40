/** Unexpected errors in the console: the response has only a code, the log has the error and its place. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { GraphQLError } from "postgraphile/graphql";
import type { Authentication } from "../../src/console/authentication.ts";
import { maskErrors } from "../../src/console/errors.ts";
import { makeConsoleApp } from "../../src/console/router.ts";

const logged: string[] = [];
const log = pino({}, { write: (line: string) => void logged.push(line) });
const secret = "canary-of-a-request";
/** Errors created in this file, so that the logged place is this file. */
const faults: [string, () => Error, string, number][] = [
  ["a bug", () => new TypeError(`undefined is ${secret}`), "internal", 500],
  ["an outage", () => Object.assign(new Error(`connect ${secret}`), { code: "ECONNREFUSED" }), "unavailable", 503],
];

const entry = () => JSON.parse(logged.at(-1) ?? "{}");

test.each(faults)("%s in a route is logged, and its response has only the code", async (_what, fault, code, status) => {
  const server: Server = makeConsoleApp({
    pool: {} as never,
    authentication: {} as Authentication,
    baseUrl: "http://127.0.0.1",
    log,
    open: [
      () => {
        throw fault();
      },
    ],
    inside: [],
  }).listen(0, "127.0.0.1");
  try {
    await new Promise((resolve) => server.once("listening", resolve));
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/?of=${secret}`);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code } }] });
  } finally {
    server.close();
    server.closeAllConnections();
  }
  expect(entry()).toMatchObject({ msg: code, error: { at: expect.any(Array) } });
  expect(entry().error.at[0]).toContain("faults.test.ts");
  expect(logged.at(-1)).not.toContain(secret);
});

test.each(faults)("%s in GraphQL is logged, and its response has only the code", (_what, fault, code) => {
  const masked = maskErrors(log)(
    new GraphQLError("original message", { originalError: fault(), path: ["runs", 0, "bot"] }),
  );
  expect(masked.extensions.code).toBe(code);
  expect(masked.message).not.toContain(secret);
  expect(entry()).toMatchObject({ msg: code, path: ["runs", 0, "bot"], error: { at: expect.any(Array) } });
  expect(logged.at(-1)).not.toContain(secret);
});
