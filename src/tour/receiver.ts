import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Certificate, issueCertificate, makeAuthority } from "./certificates.ts";

/** One request as it arrived: `body` is the raw text that was signed, `at` the moment when it was complete. */
export type Received = { path: string; headers: IncomingHttpHeaders; body: string; at: Date };

/** Answers a request whose body has been read. It may also answer late, badly, or not at all. */
export type Respond = (request: IncomingMessage, response: ServerResponse) => void;

export type ReceiverSettings = {
  /** 200 with an empty object, unless given. */
  respond?: Respond;
  /** The names and addresses in the certificate; those under which the receiver is reached, unless given. */
  hosts?: readonly string[];
  /** Who signs its certificate; one made for it alone, unless given. */
  authority?: Certificate;
};

export type Receiver = {
  /** Under its name, `https://localhost:<port>`. */
  url: string;
  port: number;
  /** The authority to trust, in PEM. */
  ca: string;
  /** All requests so far, oldest first. */
  received: Received[];

  /** The first `count` requests. @throws {Error} when fewer have come within `timeoutMs` */
  waitFor(count: number, timeoutMs: number): Promise<Received[]>;

  /** Cuts all connections. */
  close(): Promise<void>;
};

/** Starts a receiver of webhooks on loopback, at a free port. */
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
