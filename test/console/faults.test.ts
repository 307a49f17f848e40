/** What goes wrong in the console: who asks is told no more than that, and the log what it was and where. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { GraphQLError } from "postgraphile/graphql";
import type { Admission } from "../../src/console/admission.ts";
import { maskErrors } from "../../src/console/errors.ts";
import { makeConsoleApp } from "../../src/console/router.ts";

const logged: string[] = [];
const log = pino({}, { write: (line: string) => void logged.push(line) });
const secret = "canary-of-a-request";
/** Thrown here, so that this file is where it came from. */
const faults: [string, () => Error, string, number][] = [
  ["a fault of ours", () => new TypeError(`nothing is there of ${secret}`), "internal", 500],
  ["an outage", () => Object.assign(new Error(`connect ${secret}`), { code: "ECONNREFUSED" }), "unavailable", 503],
];

const entry = () => JSON.parse(logged.at(-1) ?? "{}");

test.each(faults)("%s on the way to a page", async (_what, fault, code, status) => {
  const server: Server = makeConsoleApp({
    pool: {} as never,
    admission: {} as Admission,
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

test.each(faults)("%s in GraphQL", (_what, fault, code) => {
  const shown = maskErrors(log)(new GraphQLError("as it was", { originalError: fault(), path: ["runs", 0, "bot"] }));
  expect(shown.extensions.code).toBe(code);
  expect(shown.message).not.toContain(secret);
  expect(entry()).toMatchObject({ msg: code, path: ["runs", 0, "bot"], error: { at: expect.any(Array) } });
  expect(logged.at(-1)).not.toContain(secret);
});
