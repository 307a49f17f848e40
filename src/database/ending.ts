/** How a connection is ended whose other side may be silent. */
import type { Client } from "pg";

/** An end in order needs an answer, which a database that stands still never gives. */
const patienceMs = 2_000;

/** In order if it can be had in time, else at once. Never throws. */
export async function endWithin(client: Client): Promise<void> {
  const { promise: impatience, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  await Promise.race([client.end().catch(() => {}), impatience]);
  clearTimeout(timer);
  client.connection.stream.destroy();
}
