/**
 * Streams that are held open. Each writes what its run's events are, as they come; a comment now and then, so that
 * nobody on the way takes it for dead, and its key is looked at again just as often. None lasts for long: whoever reads
 * goes on where they were, which costs them nothing. A reader who is slow is sent nothing further until what was sent has
 * gone out, so what is kept for them is never more than one answer of the database.
 */
import type { ServerResponse } from "node:http";
import { type Backlog, holdUntilTaken } from "../backlog.ts";
import type { Frame } from "./lines.ts";
import type { News } from "./news.ts";
import type { Reader, Watcher } from "./reader.ts";

/** In milliseconds. */
export type Pace = { heartbeat: number; longest: number };

export const usualPace: Pace = { heartbeat: 15_000, longest: 300_000 };

export type Streams = {
  /** Hears of the run from now on, so that nothing falls between a first read and what is written after it. */
  prepare(credential: Buffer, runId: string, response: ServerResponse): Prepared;
  /** Ends all, and those to come at once. */
  stop(): void;
};

export type Prepared = {
  /** Goes on after this event. @param isBehind when there is more to read already */
  hold(place: number, organisationId: string | null | undefined, isBehind: boolean): void;
};

type Stream = { watcher: Watcher; response: ServerResponse; until: number };

export function makeStreams(news: News, reader: Reader, pace: Pace, unsent: Backlog): Streams {
  const open = new Set<Stream>();
  let isStopped = false;

  const heartbeat = setInterval(() => {
    const now = Date.now();
    for (const { watcher, response, until } of open) {
      if (response.writableEnded)
        response.destroy(); // it was given the time until now to read the rest
      else if (now >= until) response.end();
      else if (watcher.hasRoom()) {
        response.write(":\n\n");
        reader.ask(watcher);
      }
    }
  }, pace.heartbeat);
  heartbeat.unref();

  return {
    prepare(credential, runId, response) {
      const watcher = watcherOf(credential, runId, response, unsent);
      let isHeld = false;
      let isBehindAlready = false;
      const unhear = news.hear(runId, () => {
        if (isHeld) reader.ask(watcher);
        else isBehindAlready = true;
      });
      response.once("close", unhear);
      return {
        hold(place, organisationId, isBehind) {
          if (isStopped) return void response.end();
          isHeld = true;
          watcher.place = place;
          watcher.organisationId = organisationId;
          // Not all at once: those who came together would come again together.
          const stream = { watcher, response, until: Date.now() + pace.longest * (0.8 + Math.random() / 5) };
          open.add(stream);
          response.on("drain", () => reader.ask(watcher));
          response.once("close", () => {
            open.delete(stream);
            reader.forget(watcher);
          });
          if (isBehind || isBehindAlready) reader.ask(watcher);
        },
      };
    },
    stop() {
      isStopped = true;
      clearInterval(heartbeat);
      for (const { response } of open) response.end();
    },
  };
}

function watcherOf(credential: Buffer, runId: string, response: ServerResponse, unsent: Backlog): Watcher {
  const isOpen = () => !response.destroyed && !response.writableEnded;
  const watcher: Watcher = {
    credential,
    organisationId: undefined,
    runId,
    place: 0,
    hasRoom: () => isOpen() && !response.writableNeedDrain,
    take(frames: Frame[]) {
      const last = frames.at(-1);
      if (!last || !isOpen()) return;
      watcher.place = last.number;
      const hasGoneOut = response.write(frames.map(({ text }) => text).join(""));
      if (!hasGoneOut) holdUntilTaken(response, unsent);
      if (frames.some(({ isEnd }) => isEnd)) response.end();
    },
    end: () => void response.end(),
  };
  return watcher;
}
