/** Callers that disconnect between the head of a request and its body. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import express from "express";
import { readBody } from "../../src/api/stages/read.ts";
import { makeBacklog } from "../../src/web/backlog.ts";
import { apiOfFile } from "../support/callers.ts";

const here = apiOfFile();
const memory = { scope: "organisation", kind: "note", subject: "Sent twice", value: "The first time without a body." };

function headOf(path: string, more: Record<string, string> = {}): string {
  const headers = { host: "localhost", "content-type": "application/json", "content-length": "100", ...more };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

test("readBody returns undefined if the caller ended the connection before the body, and not an empty body", async () => {
  const { promise: read, resolve } = Promise.withResolvers<unknown>();
  const app = express().post("/", async (request, response) => {
    await once(request.socket, "end");
    resolve(await readBody(request, response, makeBacklog(), { maxBodyValues: 10 }));
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as { port: number };
    connect(port, "127.0.0.1").end(headOf("/"));
    expect(await read).toBeUndefined();
  } finally {
    server.close();
  }
});

test("A POST whose body never arrived is not stored, so that its repeat succeeds", async () => {
  const ada = await here.owner();
  const { hostname, port } = new URL(here.api.url);
  const keys = Array.from({ length: 40 }, () => randomUUID());
  const cutOff = keys.map((key) => {
    const socket = connect(Number(port), hostname);
    socket.end(headOf("/api/v1/memories", { authorization: `Bearer ${ada.key.text}`, "idempotency-key": key }));
    socket.resume();
    return once(socket, "close");
  });
  await Promise.all(cutOff);
  const repeats = await Promise.all(keys.map((idempotencyKey) => ada.post("/memories", memory, { idempotencyKey })));
  expect(new Set(repeats.map(({ status }) => status))).toEqual(new Set([201]));
});
