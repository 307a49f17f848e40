/**
 * A run's events as a stream: what has happened is answered as any read is, and if the run has not ended the answer stays
 * open for what is to come. (decisions: "Beyond the specification", 1.)
 */
import type { ServerResponse } from "node:http";
import { digestOf } from "../../secrets/credentials.ts";
import type { Answer } from "../answer.ts";
import { withinDeadline } from "../deadline.ts";
import { perform } from "../operation.ts";
import type { Asked, Service } from "../service.ts";
import { mostAtOnce, readLines } from "./lines.ts";
import { noPlace } from "./wait.ts";

/** @throws Error of the database or of its connection. */
export async function performWatching(asked: Asked, service: Service, response: ServerResponse): Promise<Answer> {
  const { places, streams } = service.watching;
  const runId = (asked.params.id ?? "").toLowerCase();
  const credential = digestOf(asked.bearer ?? "");
  const stream = streams.prepare(credential, runId, response);
  const answer = await withinDeadline((until) => perform({ ...asked, until }, service));
  if (answer.status !== 200) return answer;
  const frames = readLines(answer.body).get(runId) ?? [];
  const last = frames.at(-1);
  const told = `retry: ${retryMs()}\n\n${frames.map(({ text }) => text).join("")}`;
  const headers = { ...answer.headers, "content-type": "text/event-stream", "x-accel-buffering": "no" };
  if (frames.some(({ isEnd }) => isEnd)) return { ...answer, headers, body: told };

  if (response.destroyed) return answer; // to nobody, who would never leave a place
  const leave = places.take(credential);
  if (!leave) return noPlace(asked, answer);
  response.once("close", leave);
  const place = last?.number ?? Number(asked.lastEventId ?? 0);
  return {
    ...answer,
    headers,
    body: told,
    hold: () => stream.hold(place, answer.organisationId, frames.length >= mostAtOnce),
  };
}

/** After how long a reader whose stream ends is to come again. Not all at once, when a process is started anew. */
function retryMs(): number {
  return Math.round(1_000 + Math.random() * 2_000);
}
