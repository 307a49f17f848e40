/**
 * Receivers, in a process of their own: HTTPS on several ports, so that posts go to several origins. They answer 200 at
 * once, but for a path `/silent`, which is never answered, and remember when each delivery first arrived.
 */
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { issueCertificate, makeAuthority } from "../../src/tour/certificates.ts";

export type Receivers = { urls: string[]; ca: string };
/** Milliseconds by the machine's monotonic clock, which is the same for all its processes. */
export type Arrivals = [deliveryId: string, atMs: number][];

const origins = 8;
let arrivals = new Map<string, number>();

const authority = await makeAuthority();
const certificate = await issueCertificate(authority, ["localhost"]);
const urls = await Promise.all(
  Array.from({ length: origins }, () => {
    const server = createServer(certificate, (request, response) => {
      const id = String(request.headers["x-botstead-delivery"]);
      if (request.url === "/silent") return;
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
process.on("message", (question: "where" | "count" | "arrivals") => {
  if (question === "where") process.send?.({ urls, ca: authority.cert } satisfies Receivers);
  else if (question === "count") process.send?.(arrivals.size);
  else {
    process.send?.([...arrivals] satisfies Arrivals);
    arrivals = new Map();
  }
});
