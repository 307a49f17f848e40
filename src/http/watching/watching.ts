/** All that a process needs for requests that are held open. */
import type { Lanes } from "../../database/lanes.ts";
import type { Backlog } from "../backlog.ts";
import { listenForNews, type News } from "./news.ts";
import { type Most, makePlaces, most, type Places } from "./places.ts";
import { makeReader } from "./reader.ts";
import { makeStreams, type Pace, type Streams, usualPace } from "./streams.ts";

export type Watching = {
  news: News;
  places: Places;
  streams: Streams;
  /** Aborted when nobody is to wait any longer. */
  stopping: AbortSignal;
  /** Whoever waits is answered, and streams end. */
  stop(): void;
  close(): Promise<void>;
};

export type Limits = { most: Most; pace: Pace };

export const usual: Limits = { most, pace: usualPace };

export function startWatching(connectionString: string, lanes: Lanes, limits: Limits, unsent: Backlog): Watching {
  const stopping = new AbortController();
  const news = listenForNews(connectionString);
  const streams = makeStreams(news, makeReader(lanes), limits.pace, unsent);
  return {
    news,
    places: makePlaces(limits.most),
    streams,
    stopping: stopping.signal,
    stop() {
      stopping.abort();
      streams.stop();
    },
    close: () => news.close(),
  };
}
