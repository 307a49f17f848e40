import { type Profiler, Session } from "node:inspector/promises";

/** A key of the benchmark, with its organisation and person. */
export type Caller = { organisationId: string; personId: string; bearer: string };

/** Sent by the benchmark over the IPC channel. The system then listens and replies with its URL. */
export type Settings = {
  adminUrl: string;
  masterKey: { sealing: string; checkpoints: string; passwords: Record<string, string> };
  poolSize: number;
  /** For systems with keys in tables of their own. */
  callers: Caller[];
  /** For the API: its directory, with an administrator's login, and its cell. */
  directory?: { url: string; cell: string } | undefined;
  /** For the worker: a folder of its own, and the CA of the receivers. */
  receivers?: { folder: string; ca: string } | undefined;
};

/** Resident memory in bytes, and processor time since the start of the process. */
export type Usage = { rss: number; cpuMs: number };
export type Reply = { url: string } | Usage | { profile: Profiler.Profile } | { started: true };
export type Command = "usage" | "startProfile" | "stopProfile";

/** Runs a system: waits for its settings, starts it, and replies to commands until the channel closes. */
export function system(start: (settings: Settings) => Promise<string>): void {
  process.on("disconnect", () => process.exit());
  let session: Session | undefined;
  process.on("message", async (message: Settings | Command | "stop") => {
    if (message === "usage") process.send?.(usage() satisfies Reply);
    else if (message === "stop") process.exit();
    else if (message === "startProfile") {
      session = await startProfile();
      process.send?.({ started: true } satisfies Reply);
    } else if (message === "stopProfile") {
      process.send?.((await session?.post("Profiler.stop")) satisfies Reply | undefined);
      session?.disconnect();
    } else process.send?.({ url: await start(message) } satisfies Reply);
  });
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { rss: process.memoryUsage.rss(), cpuMs: (user + system) / 1000 };
}

/** Starts the CPU profiler with 5,000 samples per second. */
async function startProfile(): Promise<Session> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 200 });
  await session.post("Profiler.start");
  return session;
}
