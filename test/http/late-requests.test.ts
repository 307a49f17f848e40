/** Requests that are not complete at their time-out. (src/api/limits/late-requests.ts) */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { serveConnections } from "../../src/api/connections.ts";
import { makeBacklog } from "../../src/web/backlog.ts";
import { listen, makeServer } from "../../src/web/listening.ts";

const server = makeServer(10);
const refused: number[] = [];
const app = (_request: unknown, response: ServerResponse) => {
  response.req.resume().once("end", () => response.end("here"));
};
serveConnections(server, app, makeBacklog(), (_method, _id, { status }) => refused.push(status));
server.headersTimeout = 50; // checked each second

beforeAll(() => listen(server, 0, "127.0.0.1"));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const head = "POST /api/v1/bots HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n";

/** A connection that the server has accepted. */
async function accepted(): Promise<{ client: Socket; ended: Promise<string> }> {
  const arriving = once(server, "connection");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let heard = "";
  client.on("data", (data) => {
    heard += data;
  });
  const ended = once(client, "close").then(() => heard.split("\r\n", 1)[0] as string);
  await arriving;
  return { client, ended };
}

test("A request that arrives while the process is stopped beyond the time-out is answered", async () => {
  const { client, ended } = await accepted();
  client.write(`${head}{}`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100); // nothing is read meanwhile
  await once(client, "data");
  client.end();
  expect(await ended).toBe("HTTP/1.1 200 OK");
  expect(refused).toEqual([]);
});

test("A connection without a byte is closed without an answer, since a client could be sending its request", async () => {
  const { ended } = await accepted();
  expect(await ended).toBe("");
  expect(refused).toEqual([]);
});

test("A head that does not end in time is refused with 400", async () => {
  const { client, ended } = await accepted();
  client.write(head.slice(0, 20));
  expect(await ended).toBe("HTTP/1.1 400 Bad Request");
  expect(refused).toEqual([400]);
});
