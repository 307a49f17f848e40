import { type Profiler, Session } from "node:inspector/promises";

/** A key of the benchmark, and whose it is. */
export type Caller = { organisationId: string; personId: string; bearer: string };

/** What a contestant is told by the harness, over its channel, before it listens and answers with its address. */
export type Settings = {
  adminUrl: string;
  masterKey: { sealing: string; passwords: Record<string, string> };
  poolSize: number;
  /** For who keeps keys in tables of its own. */
  callers: Caller[];
  /** For the worker: what it needs to reach receivers, and a folder of its own. */
  receivers?: { folder: string; ca: string } | undefined;
};

/** How a contestant answers: where it listens; and, asked for it, the resident bytes and processor time of its process. */
export type Spent = { rss: number; cpuMs: number };
export type Said = { url: string } | Spent | { profile: Profiler.Profile } | { sampling: true };
export type Question = "spent" | "sample" | "profile";

/** Runs a contestant: waits for its settings, starts it, and answers questions until its channel closes. */
export function contestant(start: (settings: Settings) => Promise<string>): void {
  process.on("disconnect", () => process.exit());
  let session: Session | undefined;
  process.on("message", async (message: Settings | Question | "stop") => {
    if (message === "spent") process.send?.(spent() satisfies Said);
    else if (message === "stop") process.exit();
    else if (message === "sample") {
      session = await sample();
      process.send?.({ sampling: true } satisfies Said);
    } else if (message === "profile") {
      process.send?.((await session?.post("Profiler.stop")) satisfies Said | undefined);
      session?.disconnect();
    } else process.send?.({ url: await start(message) } satisfies Said);
  });
}

function spent(): Spent {
  const { user, system } = process.cpuUsage();
  return { rss: process.memoryUsage.rss(), cpuMs: (user + system) / 1000 };
}

/** From here on, five thousand times a second, it is noted what JavaScript is at. */
async function sample(): Promise<Session> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 200 });
  await session.post("Profiler.start");
  return session;
}
