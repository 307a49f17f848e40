/** Ends a connection whose server may not answer. */
import type { Client } from "pg";

/** An orderly end needs an answer of the server. */
const endTimeoutMs = 2_000;

/** Ends the connection in order, or closes it after 2 s. Never throws. */
export async function endWithin(client: Client): Promise<void> {
  const { promise: timedOut, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, endTimeoutMs);
  await Promise.race([client.end().catch(() => {}), timedOut]);
  clearTimeout(timer);
  client.connection.stream.destroy();
}
