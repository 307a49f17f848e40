/**
 * Receivers in a process of their own: HTTPS on several ports, so that requests go to several origins. They answer 200
 * immediately, except for `/hanging`, which they never answer. They record the first arrival of each delivery.
 */
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { issueCertificate, makeAuthority } from "../../examples/tour/certificates.ts";

export type Receivers = { urls: string[]; ca: string };
/** Milliseconds of the machine's monotonic clock, which all processes share. */
export type Arrivals = [deliveryId: string, atMs: number][];

const origins = 8;
let arrivals = new Map<string, number>();

const authority = await makeAuthority();
const certificate = await issueCertificate(authority, ["localhost"]);
const urls = await Promise.all(
  Array.from({ length: origins }, () => {
    const server = createServer(certificate, (request, response) => {
      const id = String(request.headers["x-botstead-delivery"]);
      if (request.url === "/hanging") return;
      request.resume().once("end", () => {
        if (!arrivals.has(id)) arrivals.set(id, Number(process.hrtime.bigint()) / 1e6);
        response.writeHead(200, { "content-type": "application/json" }).end("{}");
      });
    });
    return new Promise<string>((resolve) =>
      server.listen(0, "127.0.0.1", () => resolve(`https://localhost:${(server.address() as AddressInfo).port}`)),
    );
  }),
);

process.on("disconnect", () => process.exit());
process.on("message", (message: "urls" | "count" | "arrivals") => {
  if (message === "urls") process.send?.({ urls, ca: authority.cert } satisfies Receivers);
  else if (message === "count") process.send?.(arrivals.size);
  else {
    process.send?.([...arrivals] satisfies Arrivals);
    arrivals = new Map();
  }
});
