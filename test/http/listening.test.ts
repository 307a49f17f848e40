/** The listening socket that every server of the project uses. */
import type { AddressInfo } from "node:net";
import { listen, makeServer } from "../../src/web/listening.ts";

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
