/** Posts to witnesses of the audit log. Their addresses are settings, so no address is refused. */
import { request } from "undici";

/** For the whole answer, so that a slow witness does not delay the next checkpoint. */
const timeoutMs = 10_000;
const maxBytes = 16 * 1024;

/** @throws Error if there is no complete answer in time */
export async function postToWitness(
  url: string,
  body: string,
): Promise<{ status: number; contentType: string; body: string }> {
  const answer = await request(url, {
    method: "POST",
    body,
    headers: { "content-type": "text/plain; charset=utf-8" },
    signal: AbortSignal.timeout(timeoutMs),
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error("The answer of the witness is too long.");
    chunks.push(chunk);
  }
  const type = answer.headers["content-type"];
  return {
    status: answer.statusCode,
    contentType: typeof type === "string" ? type : "",
    body: Buffer.concat(chunks).toString("utf8"),
  };
}
