/** The listening socket that every server of the project uses. */

import { Agent, request } from "node:http";
import type { AddressInfo } from "node:net";
import { listen, makeServer } from "../../src/web/listening.ts";
import { testApi } from "../support/api.ts";
import { testDatabase } from "../support/database.ts";

test("A server survives errors of accept, such as too many open files", async () => {
  const server = makeServer(10);
  server.on("request", (_request, response) => response.end("here"));
  await listen(server, 0, "127.0.0.1");
  try {
    for (let each = 0; each < 3; each += 1) server.emit("error", new Error("accept EMFILE"));
    const { port } = server.address() as AddressInfo;
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("here");
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("listen on a port in use rejects with the port and the address", async () => {
  const [first, second] = [makeServer(10), makeServer(10)];
  await listen(first, 0, "127.0.0.1");
  const { port } = first.address() as AddressInfo;
  await expect(listen(second, port, "127.0.0.1")).rejects.toThrow(`Port ${port} of 127.0.0.1 is in use`);
  first.close();
});

/** Sends a request. Returns the port of the connection, and the announced time to keep it. */
async function get(agent: Agent, port: number) {
  return new Promise<{ from: number | undefined; keeps: string | undefined }>((resolve, reject) => {
    const sent = request({ agent, port, host: "127.0.0.1" }, (response) => {
      const from = response.socket.localPort;
      response.resume().once("end", () => resolve({ from, keeps: response.headers["keep-alive"]?.toString() }));
    });
    sent.on("error", reject).end();
  });
}

test("a connection stays open for the keep-alive time, also beyond the time-out of a head, and then closes", async () => {
  const server = makeServer(10, 3_500);
  server.headersTimeout = 500;
  server.on("request", (_request, response) => response.end("here"));
  await listen(server, 0, "127.0.0.1");
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const closed = new Promise<void>((resolve) => server.once("connection", (socket) => socket.once("close", resolve)));
    const first = await get(agent, port);
    expect(first.keeps).toBe("timeout=3");
    await new Promise((resolve) => setTimeout(resolve, 1_800)); // more than the time-out of a head, and a check
    expect((await get(agent, port)).from).toBe(first.from);
    await closed;
  } finally {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  }
});

test("KEEP_ALIVE_SECONDS sets the keep-alive time of the API", async () => {
  const db = await testDatabase();
  const api = await testApi(db, { KEEP_ALIVE_SECONDS: "620" });
  try {
    const agent = new Agent({ keepAlive: true });
    expect((await get(agent, Number(new URL(api.url).port))).keeps).toBe("timeout=620");
    agent.destroy();
  } finally {
    await api.stop();
    await db.drop();
  }
});
