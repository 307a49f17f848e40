/** The receiver of the examples beside slow and malformed requests. (docs/audit-stream.md) */

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { type ExampleReceiver, signedHeaders, startExample } from "../support/audit-streams.ts";
import { testWith } from "../support/machine.ts";

const secret = "whsec_of-a-test";
let receiver: ExampleReceiver & { folder: string; port: number };
const sockets: Socket[] = [];

beforeAll(async () => {
  receiver = await startExample(randomUUID(), secret);
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  receiver.stop();
  rmSync(receiver.folder, { recursive: true, force: true });
});

/** The first line of the response to a head, if any. */
function send(head: string) {
  const socket = connect(receiver.port, "127.0.0.1");
  sockets.push(socket);
  socket.write(head);
  return { socket, answer: once(socket, "data").then(([data]) => String(data).split("\r\n")[0]) };
}

testWith("python3")("a silent connection delays no other request, and is closed after 10 s", async () => {
  const { socket, answer } = send("POST / HTTP/1.1\r\ncontent-length: 10\r\n\r\n");
  answer.catch(() => {});
  const closed = once(socket.resume(), "close").then(() => Date.now());
  const body = JSON.stringify({ id: randomUUID() });
  const began = Date.now();
  expect(await receiver.pass({ headers: signedHeaders(secret, body), body })).toMatchObject({ status: 422 });
  expect(socket.closed).toBe(false);
  expect((await closed) - began).toBeGreaterThan(9_000);
});

testWith("python3")("a request without a length, with a negative one, or of more than 8 MB is refused", async () => {
  const length = (header: string) => send(`POST / HTTP/1.1\r\n${header}\r\n`).answer;
  expect(await length("content-length: -1\r\n")).toContain(" 411 ");
  expect(await length("")).toContain(" 411 ");
  expect(await length("content-length: 8388609\r\n")).toContain(" 413 ");
});
