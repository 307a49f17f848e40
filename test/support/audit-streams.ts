/** Parts of a stream of the audit log, and the receiver of the examples behind a test's receiver. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { request as forward } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../src/database/embedded/port.ts";
import { deliveryHeaders, signingKeys } from "../../src/delivery/headers.ts";
import { logSigner, testCheckpoints } from "./checkpoints.ts";
import { customer, type Hook, openPostOffice, type PostOffice } from "./post-office.ts";
import type { Received } from "./receiver.ts";
import { eventually, testWorker } from "./worker.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read the JSON of receivers
export type Part = any;

export const partsOf = (hook: Hook): Part[] => hook.posts().map(({ body }) => JSON.parse(body));
export const sequencesOf = ({ data }: Part): number[] =>
  data.entries.map((entry: Part) => entry.sequence ?? entry.metadata.sequence);

/** Whether the stream has sent everything that is in the newest checkpoint. */
const isSent = async ({ db }: Pick<PostOffice, "db">, organisation: string): Promise<boolean> =>
  (
    await db.sql<{ is_sent: boolean }>(
      `select stream.after_sequence = (select max(last_sequence) from app.audit_leaves where organisation_id = $1) and lease_id is null as is_sent
       from app.audit_streams stream where organisation_id = $1`,
      [organisation],
    )
  )[0]?.is_sent === true;

export const untilSent = (office: Pick<PostOffice, "db">, organisation: string) =>
  eventually(() => isSent(office, organisation));

/** A new organisation whose audit log is sent to the hook. */
export async function streamTo(office: PostOffice, hook: Hook, stream: object = {}) {
  const who = await customer(office);
  const { secret } = (await who.ask("POST", "/audit/stream", { url: hook.url, ...stream })).body;
  return {
    who,
    secret: secret as string,
    organisation: who.organisation.id,
    stream: async () => (await who.ask("GET", "/audit/stream")).body,
  };
}

/** An office with two workers: none may send a part while the other does. The tests make the checkpoints. */
export function streamsOfFile(settings: () => Promise<Record<string, string>> = async () => ({})) {
  let office: PostOffice;
  const workers: Awaited<ReturnType<typeof testWorker>>[] = [];
  beforeAll(async () => {
    office = await openPostOffice({ worker: false });
    const more = await settings();
    for (let count = 0; count < 2; count += 1)
      workers.push(await testWorker(office.db, { ...office.settings, ...more }, []));
  });
  afterAll(async () => {
    for (const worker of workers) await worker.stop();
    await office.close();
  });
  return {
    get office() {
      return office;
    },
    streamTo: (hook: Hook) => streamTo(office, hook),
    checkpoint: () => testCheckpoints(office.db).run(),
    /** Queued and running jobs of streams. @param where a condition on graphile_worker.jobs */
    jobs: (where = "true") =>
      office.db.sql(`select from graphile_worker.jobs where task_identifier = 'stream_audit_log' and ${where}`),
  };
}

/** The headers of a part, signed now. */
export const signedHeaders = (secret: string, body: string) => ({
  ...deliveryHeaders({
    deliveryId: JSON.parse(body).id,
    event: "audit.entries",
    body,
    keys: signingKeys(secret),
    at: new Date(),
  }),
  "content-length": String(Buffer.byteLength(body)),
});

const example = fileURLToPath(new URL("../../examples/python/audit_receiver.py", import.meta.url));

export type ExampleReceiver = {
  /** Posts a body. Returns the status and the line that the program prints. */
  pass(post: Pick<Received, "headers" | "body">): Promise<{ status: number; line: string }>;
  stop(): void;
};

/**
 * @param folder of an earlier run, which it continues
 * @param key of the log that it receives
 */
export async function startExample(
  organisation: string,
  secret: string,
  folder = mkdtempSync(join(tmpdir(), "botstead-audit-receiver-")),
  key = logSigner.text,
): Promise<ExampleReceiver & { folder: string; port: number }> {
  const port = await freePort();
  const args = ["-B", example, organisation, key, join(folder, "log.jsonl")];
  const child: ChildProcess = spawn("python3", args, {
    env: { PATH: process.env.PATH, SECRET: secret, PORT: String(port), PYTHONIOENCODING: "utf-8" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  child.stdout?.on("data", (data) => lines.push(...String(data).trimEnd().split("\n")));
  const post = (body: string, headers: object): Promise<number> =>
    new Promise((resolve, reject) => {
      const onwards = forward({ host: "127.0.0.1", port, method: "POST", headers: { ...headers } }, (answer) => {
        answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
      });
      onwards.once("error", reject).end(body);
    });
  await eventually(() =>
    post("", { "content-length": "0" }).then(
      () => true,
      () => false,
    ),
  ); // refused, but answered
  return {
    folder,
    port,
    async pass({ headers, body }) {
      const before = lines.length;
      const status = await post(body, headers);
      await eventually(async () => lines.length > before);
      return { status, line: lines.at(-1) ?? "" };
    },
    stop: () => void child.kill(),
  };
}
