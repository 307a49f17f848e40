/** The HTTP load, in a process of its own: autocannon. Each connection starts at another place of the list of requests. */
import autocannon from "autocannon";

export type Request = { method: "GET" | "POST"; path: string; headers?: Record<string, string>; body?: string };
export type Load = { url: string; requests: Request[]; seconds: number; connections: number };
/** Latencies in ms. `served` includes the warm-up. */
export type Measured = { perSecond: number; served: number; p50?: number; p95?: number; p99?: number };
/** `begunAt` is the time of the first request, as milliseconds since 1970. */
export type LoadMeasured = Measured & { begunAt: number };
export type LoadResult = { measured: LoadMeasured } | { error: string };

const warmUpSeconds = 0.7;

process.once("message", (load: Load) => {
  run(load)
    .then(
      (measured): LoadResult => ({ measured }),
      (error: Error): LoadResult => ({ error: error.message }),
    )
    .then((result) => process.send?.(result, () => process.exit()));
});

async function run({ url, requests, seconds, connections }: Load): Promise<LoadMeasured> {
  const times: number[] = [];
  let served = 0;
  let started = 0;
  const statuses = new Map<number, number>();
  let connection = 0;
  // The instance is a promise and an event emitter; its type declares only the promise.
  const instance = autocannon({
    url,
    connections,
    duration: warmUpSeconds + seconds,
    idReplacement: requests.some(({ method }) => method === "POST"), // replaces [<id>] by a new Idempotency-Key
    setupClient(client) {
      const from = Math.floor((connection * requests.length) / connections);
      connection += 1;
      client.setRequests(structuredClone([...requests.slice(from), ...requests.slice(0, from)]));
    },
  } as autocannon.Options) as Promise<autocannon.Result> & autocannon.Instance;
  const begunAt = Date.now();
  const began = performance.now();
  let ended = began;
  instance.on("response", (_client, status, _bytes, ms) => {
    served += 1;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const now = performance.now();
    if (now < began + warmUpSeconds * 1000) return;
    started ||= now;
    ended = now;
    times.push(ms);
  });
  const result = await instance;
  const failed = [...statuses].filter(([status]) => ![200, 201, 202].includes(Number(status)));
  if (failed.length > 0 || result.errors > 0) {
    throw new Error(`${url} failed requests: status and count ${JSON.stringify(failed)}, ${result.errors} errors.`);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  const perSecond = times.length / ((ended - started) / 1000);
  return { perSecond, served, begunAt, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
