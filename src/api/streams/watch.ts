/**
 * A run's events as a stream. Past events are answered as in any read; if the run has not ended, the response stays open
 * for further events. (docs/specification/runs.md#event-stream)
 */
import { digestOf } from "../../secrets/credentials.ts";
import type { Perform, PerformOpen } from "../request.ts";
import { maxFrames, readLines } from "./frames.ts";
import { newGate } from "./reader.ts";
import type { Slots } from "./slots.ts";
import type { Streams } from "./streams.ts";
import { noSlot } from "./wait.ts";

type Parts = { perform: Perform; slots: Slots; streams: Streams };

export function makeWatch({ perform, slots, streams }: Parts): PerformOpen {
  return async (request, response) => {
    const runId = (request.params.id ?? "").toLowerCase();
    const credential = digestOf(request.bearer ?? "");
    const stream = streams.prepare(
      { credential, address: request.address, ...(request.query.has("include") ? { gate: newGate() } : {}) },
      runId,
      response,
    );
    const answer = await perform(request);
    if (answer.status !== 200) return answer;
    const frames = readLines(answer.body).get(runId)?.frames ?? [];
    const last = frames.at(-1);
    const body = `retry: ${retryMs()}\n\n${frames.map(({ text }) => text).join("")}`;
    const headers = { ...answer.headers, "content-type": "text/event-stream", "x-accel-buffering": "no" };
    if (frames.some(({ isEnd }) => isEnd)) return { ...answer, headers, body };

    if (response.req.method === "HEAD") return { ...answer, headers, body: "", continue: () => response.end() };
    if (response.destroyed) return answer; // the caller has disconnected: "close" would never release a slot
    const releaseSlot = slots.acquire(credential, answer.caller?.organisationId);
    if (!releaseSlot) return noSlot(request, answer);
    response.once("close", releaseSlot);
    const position = last?.number ?? Number(request.lastEventId ?? 0);
    return {
      ...answer,
      headers,
      body,
      continue: () => stream.open(position, answer.caller?.organisationId, frames.length >= maxFrames),
    };
  };
}

/** The delay before a client reconnects. It is random, so that clients do not reconnect together after a restart. */
export function retryMs(): number {
  return Math.round(1_000 + Math.random() * 2_000);
}
