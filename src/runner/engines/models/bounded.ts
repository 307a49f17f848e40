/**
 * Limits the decompressed size of a model service's responses. fetch has no limit, so a hostile or broken service could fill
 * the worker's memory. A response over the limit fails like a broken connection.
 */
import { type Transformer, TransformStream } from "node:stream/web";

const maxStreamBytes = 4 * 1024 * 1024;
/** An event stays in memory until its blank line arrives, and an answer in one piece until its end. */
const maxEventBytes = 1024 * 1024;
/** The lists of large services describe hundreds of models. */
const maxListBytes = 4 * 1024 * 1024;
/** Error pages and other responses. */
const maxOtherBytes = 64 * 1024;

export function bounded(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    const body = response.body.pipeThrough(new TransformStream(boundsOf(response, init?.method)));
    return new Response(body, { status, statusText, headers });
  };
}

function boundsOf({ ok, headers }: Response, method = "GET"): Transformer<Uint8Array, Uint8Array> {
  if (!ok) return boundedBytes(maxOtherBytes);
  if (/^text\/event-stream\b/i.test(headers.get("content-type") ?? "")) {
    return boundedBytes(maxStreamBytes, maxEventBytes);
  }
  if (method.toUpperCase() === "GET") return boundedBytes(maxListBytes);
  return boundedBytes(/^application\/json\b/i.test(headers.get("content-type") ?? "") ? maxEventBytes : maxOtherBytes);
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

function boundedBytes(maxBytes: number, maxBlockBytes = Infinity): Transformer<Uint8Array, Uint8Array> {
  let bytes = 0;
  let blockBytes = 0;
  let lineIsEmpty = false;
  /** Counts the bytes since the last blank line. */
  const measure = (chunk: Uint8Array): boolean => {
    for (const byte of chunk) {
      blockBytes += 1;
      if (blockBytes > maxBlockBytes) return false;
      if (byte === lineFeed && lineIsEmpty) blockBytes = 0;
      if (byte !== carriageReturn) lineIsEmpty = byte === lineFeed;
    }
    return true;
  };
  return {
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      const fits = bytes <= maxBytes && (maxBlockBytes === Infinity || measure(chunk));
      if (fits) controller.enqueue(chunk);
      else controller.error(new Error("the response is larger than its limit"));
    },
  };
}
