import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Certificate, issueCertificate, makeAuthority } from "./certificates.ts";

/** A received request: `body` is the raw signed text, `at` the time when it was complete. */
export type Received = { path: string; headers: IncomingHttpHeaders; body: string; at: Date };

/** Responds to a request whose body has been read. It may respond late, wrongly or never. */
export type Respond = (request: IncomingMessage, response: ServerResponse) => void;

export type ReceiverSettings = {
  /** Defaults to 200 with an empty object. */
  respond?: Respond;
  /** Names and addresses in the certificate. Defaults to localhost and 127.0.0.1. */
  hosts?: readonly string[];
  /** Signs the certificate. Defaults to a new authority. */
  authority?: Certificate;
};

export type Receiver = {
  /** `https://localhost:<port>` */
  url: string;
  port: number;
  /** The authority to trust, in PEM. */
  ca: string;
  /** All requests so far, oldest first. */
  received: Received[];

  /** Waits for the first `count` requests. @throws {Error} after `timeoutMs` */
  waitFor(count: number, timeoutMs: number): Promise<Received[]>;

  /** Closes all connections. */
  close(): Promise<void>;
};

/** Starts a webhook receiver on loopback, on a free port. */
export async function startReceiver(settings: ReceiverSettings = {}): Promise<Receiver> {
  const { respond = acknowledge, hosts = ["localhost", "127.0.0.1"], authority = await makeAuthority() } = settings;
  const received: Received[] = [];
  const arrivals = new EventTarget();

  const server = createServer(await issueCertificate(authority, hosts), async (request, response) => {
    try {
      const body = await text(request);
      received.push({ path: request.url ?? "", headers: request.headers, body, at: new Date() });
      arrivals.dispatchEvent(new Event("arrival"));
      respond(request, response);
    } catch {
      response.destroy(); // the sender went away before it had sent everything
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `https://localhost:${port}`,
    port,
    ca: authority.cert,
    received,

    waitFor(count, timeoutMs) {
      return new Promise((resolve, reject) => {
        const look = () => {
          if (received.length < count) return;
          clearTimeout(timer);
          arrivals.removeEventListener("arrival", look);
          resolve(received.slice(0, count));
        };
        const timer = setTimeout(() => {
          arrivals.removeEventListener("arrival", look);
          reject(new Error(`${received.length} of ${count} requests came within ${timeoutMs} ms`));
        }, timeoutMs);
        arrivals.addEventListener("arrival", look);
        look();
      });
    },

    close() {
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function acknowledge(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
}
