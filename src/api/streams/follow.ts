/**
 * The event feed as a stream: from the requested position, or from now, and then live. Past events are sent page by page as
 * the client reads them. At the end of the feed a client that does not read is closed; it resumes where it was.
 * (docs/specification/events.md#live)
 */
import type { ServerResponse } from "node:http";
import { digestOf } from "../../secrets/credentials.ts";
import { type Backlog, trackUntilDrained } from "../../web/backlog.ts";
import type { Perform, PerformOpen } from "../request.ts";
import { type Page, readPage } from "./feed-lines.ts";
import type { Feeds, Follower } from "./feeds.ts";
import { drainedOrClosed } from "./lines.ts";
import type { Slots } from "./slots.ts";
import { durationMs, type Pace } from "./streams.ts";
import { noSlot } from "./wait.ts";
import { retryMs } from "./watch.ts";

type Parts = { perform: Perform; slots: Slots; feeds: Feeds; pace: Pace; unsent: Backlog; stopping: AbortSignal };

/** The time to read what was sent, once the stream has ended. */
const endTimeoutMs = 15_000;

/** A client that lets this much wait does not read. */
const maxUnsentBytes = 256 * 1024;

export function makeFollow({ perform, slots, feeds, pace, unsent, stopping }: Parts): PerformOpen {
  return async (request, response) => {
    const answer = await perform(request);
    const organisationId = answer.caller?.organisationId;
    if (answer.status !== 200 || !organisationId) return answer;
    const page = readPage(answer.body);
    // The first id, and the position in each heartbeat, let a client resume that has not received an event yet.
    const start = page.events.length > 0 ? "" : `id: ${page.cursor}\n: ${page.cursor}\n`;
    const body = `retry: ${retryMs()}\n${start}\n${textOf(page.events)}`;
    const headers = { ...answer.headers, "content-type": "text/event-stream", "x-accel-buffering": "no" };
    if (response.req.method === "HEAD") return { ...answer, headers, body: "", continue: () => response.end() };
    if (response.destroyed) return answer; // the caller has disconnected: "close" would never release a slot
    const credential = digestOf(request.bearer ?? "");
    const releaseSlot = slots.acquire(credential, organisationId);
    if (!releaseSlot) return noSlot(request, answer);
    response.once("close", releaseSlot);
    const event = request.query.get("event") ?? undefined;
    const follower = followerOf(
      { credential, address: request.address, organisationId, event, position: page.cursor },
      response,
      unsent,
    );
    const { status, caller } = answer;
    return { status, caller, headers, body, continue: () => void stream(follower, page.hasMore, response) };
  };

  async function stream(follower: Follower, isBehind: boolean, response: ServerResponse): Promise<void> {
    const timers = [
      setTimeout(() => follower.end(), durationMs(pace)),
      setInterval(() => !response.writableNeedDrain && response.write(`: ${follower.position}\n\n`), pace.heartbeatMs),
    ];
    response.once("close", () => timers.forEach((timer) => void clearTimeout(timer)));
    if (isBehind && !(await catchUp(follower, response))) return follower.end();
    if (stopping.aborted) return follower.end();
    if (!follower.isOpen()) return;
    response.once("close", feeds.follow(follower));
  }

  /** Returns whether the follower has reached the end of the feed. */
  async function catchUp(follower: Follower, response: ServerResponse): Promise<boolean> {
    for (;;) {
      if (response.writableNeedDrain) await drainedOrClosed(response);
      if (stopping.aborted || !follower.isOpen()) return false;
      const page = await feeds.read(follower).catch(() => undefined); // the client resumes
      if (!page) return false;
      follower.send(page);
      if (!page.hasMore) return true;
    }
  }
}

const textOf = (events: Page["events"]): string => events.map(({ text }) => text).join("");

function followerOf(
  of: Omit<Follower, "isOpen" | "send" | "end">,
  response: ServerResponse,
  unsent: Backlog,
): Follower {
  const follower: Follower = {
    ...of,
    isOpen: () => !response.destroyed && !response.writableEnded,
    send(page) {
      if (!follower.isOpen()) return;
      const fresh = page.events.filter(
        ({ cursor, kind }) => cursor > follower.position && (!of.event || kind === of.event),
      );
      if (page.cursor > follower.position) follower.position = page.cursor;
      if (fresh.length === 0) return;
      if (response.writableLength > maxUnsentBytes) return void response.destroy();
      if (!response.write(textOf(fresh))) trackUntilDrained(response, unsent);
    },
    end() {
      response.end();
      setTimeout(() => response.destroy(), endTimeoutMs).unref(); // the client has not read the rest
    },
  };
  return follower;
}
