/** What a contestant is told by the harness, over its channel, before it listens and answers with its address. */
export type Settings = {
  adminUrl: string;
  masterKey: { sealing: string; passwords: Record<string, string> };
  poolSize: number;
  /** For the worker: what it needs to reach receivers, and a folder of its own. */
  receivers?: { folder: string; ca: string } | undefined;
};

/** How a contestant answers: where it listens; and, asked for it, the resident bytes and processor time of its process. */
export type Spent = { rss: number; cpuMs: number };
export type Said = { url: string } | Spent;

/** Runs a contestant: waits for its settings, starts it, and answers questions until its channel closes. */
export function contestant(start: (settings: Settings) => Promise<string>): void {
  process.on("disconnect", () => process.exit());
  process.on("message", async (message: Settings | "spent" | "stop") => {
    if (message === "spent") process.send?.(spent() satisfies Said);
    else if (message === "stop") process.exit();
    else process.send?.({ url: await start(message) } satisfies Said);
  });
}

function spent(): Spent {
  const { user, system } = process.cpuUsage();
  return { rss: process.memoryUsage.rss(), cpuMs: (user + system) / 1000 };
}
