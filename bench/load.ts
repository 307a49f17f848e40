/** The load, in a process of its own: autocannon, 32 connections, each going through the requests in another order. */
import autocannon from "autocannon";

export type Request = { method: "GET" | "POST"; path: string; headers?: Record<string, string>; body?: string };
export type Load = { url: string; requests: Request[]; seconds: number; connections: number };
/** Latencies in milliseconds; `served` counts the warm-up too. */
export type Measured = { perSecond: number; served: number; p50?: number; p95?: number; p99?: number };
export type LoadAnswer = { measured: Measured } | { fault: string };

const warmUpSeconds = 0.7;

process.once("message", (load: Load) => {
  run(load)
    .then(
      (measured): LoadAnswer => ({ measured }),
      (error: Error): LoadAnswer => ({ fault: error.message }),
    )
    .then((answer) => process.send?.(answer, () => process.exit()));
});

async function run({ url, requests, seconds, connections }: Load): Promise<Measured> {
  const took: number[] = [];
  let served = 0;
  let started = 0;
  const statuses = new Map<number, number>();
  let connection = 0;
  // It is a promise and an emitter of events; its types know the first alone.
  const instance = autocannon({
    url,
    connections,
    duration: warmUpSeconds + seconds,
    idReplacement: requests.some(({ method }) => method === "POST"), // writes a fresh Idempotency-Key over [<id>]
    setupClient(client) {
      const from = Math.floor((connection * requests.length) / connections);
      connection += 1;
      client.setRequests(structuredClone([...requests.slice(from), ...requests.slice(0, from)]));
    },
  } as autocannon.Options) as Promise<autocannon.Result> & autocannon.Instance;
  const began = performance.now();
  let ended = began;
  instance.on("response", (_client, status, _bytes, ms) => {
    served += 1;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const now = performance.now();
    if (now < began + warmUpSeconds * 1000) return;
    started ||= now;
    ended = now;
    took.push(ms);
  });
  const result = await instance;
  const refused = [...statuses].filter(([status]) => ![200, 201, 202].includes(Number(status)));
  if (refused.length > 0 || result.errors > 0) {
    throw new Error(`${url} did not serve: ${JSON.stringify(refused)}, ${result.errors} errors.`);
  }
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(took.length * share)] ?? 0;
  return { perSecond: took.length / ((ended - started) / 1000), served, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
