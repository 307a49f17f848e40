/** The witness as an HTTP server: POST /add-checkpoint. */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type Signer, signerFrom, type Verifier } from "../../secrets/note-key.ts";
import { closeServer, listen, makeServer } from "../../web/listening.ts";
import { openStore } from "./store.ts";
import { addCheckpoint, type Reply } from "./witness.ts";

/** Above the longest proof, 3 KB, and a checkpoint with the signatures of many witnesses. */
const maxBytes = 16 * 1024;
const maxConnections = 100;

export type RunningWitness = { port: number; stop(): Promise<void> };

/** The key in the file, or a new one. Its name is in the file. @throws Error if it has another name or is damaged */
export function witnessKey(file: string, name: string): Signer {
  if (!existsSync(file)) {
    writeFileSync(file, `${name} ${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flag: "wx", flush: true });
  }
  const [stored = "", base64 = ""] = readFileSync(file, "utf8").trim().split(" ");
  const seed = Buffer.from(base64, "base64");
  if (seed.length !== 32) throw new Error(`${file} has no key of a witness.`);
  if (stored !== name) throw new Error(`The key in ${file} belongs to the witness ${stored}.`);
  chmodSync(file, 0o600);
  return signerFrom(name, 4, seed);
}

/** @throws Error if the address is unavailable */
export async function startWitness(
  { host, port }: { host: string; port: number },
  { signer, logs, folder }: { signer: Signer; logs: Verifier[]; folder: string },
): Promise<RunningWitness> {
  const store = openStore(folder);
  const answer = async (request: IncomingMessage): Promise<Reply> => {
    if (request.url !== "/add-checkpoint") return { status: 404, body: "There is only /add-checkpoint.\n" };
    if (request.method !== "POST") return { status: 405, body: "Use POST.\n" };
    const body = await read(request);
    return body === undefined
      ? { status: 413, body: "The body is too long.\n" }
      : addCheckpoint(body, { signer, logs, store });
  };
  const server = makeServer(maxConnections).on("request", (request, response) => {
    answer(request).then(
      ({ status, body, contentType = "text/plain; charset=utf-8" }) =>
        response.writeHead(status, { "content-type": contentType }).end(body),
      () => response.destroyed || response.writeHead(500).end(), // nothing was stored, so nothing was signed
    );
  });
  await listen(server, port, host);
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => closeServer(server),
  };
}

async function read(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
