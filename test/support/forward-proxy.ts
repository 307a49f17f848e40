/** A real forward proxy on loopback that records its requests. It can require a password, refuse, or not respond. */
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Certificate } from "../../examples/tour/certificates.ts";

export type TestProxy = {
  /** Without credentials. */
  url: string;
  port: number;
  /** Targets of all requested tunnels, such as `127.0.0.1:443`. */
  targets: string[];
  /** Open connections of both sides. */
  sockets: Set<Socket>;
  close(): Promise<void>;
};

export type ProxySettings = {
  /** Required `user:password`; otherwise the response is 407. */
  credentials?: string;
  /** Responds instead of the proxy. Returns false to let the proxy open the tunnel. */
  instead?: (target: string, socket: Socket) => boolean;
  /** Uses TLS to its clients. */
  certificate?: Certificate;
};

export async function startForwardProxy({ credentials, instead, certificate }: ProxySettings = {}): Promise<TestProxy> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const server = certificate ? createSecureServer(certificate) : createServer();
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString("base64")}`;

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    return socket;
  }

  server.on("connection", keep);
  server.on("connect", (request: IncomingMessage, client: Socket) => {
    const target = request.url ?? "";
    targets.push(target);
    client.on("error", () => {});
    client.once("end", () => client.end());
    if (wanted && request.headers["proxy-authorization"] !== wanted) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="out"\r\n\r\n');
      return;
    }
    if (instead?.(target, client)) {
      client.resume(); // required to notice its end
      return;
    }
    const { hostname, port } = new URL(`http://${target}`);
    const onward = keep(connect(Number(port || 80), hostname.replace(/^\[|\]$/g, "")));
    onward.once("connect", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(onward).pipe(client);
    });
    onward.once("error", () => client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
    client.once("close", () => onward.destroy());
    onward.once("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${certificate ? "https" : "http"}://localhost:${port}`,
    port,
    targets,
    sockets,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
