/** Receivers for tests: the well-behaved one of the tour, and one that speaks TLS but not necessarily HTTP. */
import type { AddressInfo, Socket } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { type Certificate, issueCertificate, makeAuthority } from "../../examples/tour/certificates.ts";

export { type Received, type Receiver, type Respond, startReceiver } from "../../examples/tour/receiver.ts";

export type RawReceiver = { url: string; ca: string; sockets: Socket[]; close(): Promise<void> };

/**
 * Starts a TLS server on loopback that calls `speak` for each request, which writes the raw response.
 *
 * @param authority signs the certificate. Defaults to a new one
 */
export async function startRawReceiver(
  speak: (socket: TLSSocket) => void,
  authority?: Certificate,
): Promise<RawReceiver> {
  authority ??= await makeAuthority();
  const sockets: Socket[] = [];
  const server = createServer(await issueCertificate(authority, ["localhost"]), (socket) => {
    socket.on("error", () => {}); // these tests expect that the sender disconnects
    socket.once("data", () => speak(socket));
  });
  server.on("connection", (socket: Socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `https://localhost:${port}`,
    ca: authority.cert,
    sockets,
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      });
    },
  };
}
