/** Requests that stay open: they wait for a run, or stream its events. */
import type { ApiPools } from "../../database/connections/api-pools.ts";
import type { Backlog } from "../../web/backlog.ts";
import type { Perform, PerformOpen } from "../request.ts";
import { makeFeeds } from "./feeds.ts";
import { makeFollow } from "./follow.ts";
import { makeLines } from "./lines.ts";
import { openNotifications } from "./notifications.ts";
import { makeReader } from "./reader.ts";
import { defaultSlotLimits, type SlotLimits, type Slots } from "./slots.ts";
import { defaultPace, makeStreams, type Pace } from "./streams.ts";
import { makeWait } from "./wait.ts";
import { makeWatch } from "./watch.ts";

export type Watching = {
  wait: PerformOpen;
  watch: PerformOpen;
  /** Streams the event feed. */
  follow: PerformOpen;
  /** Sends a list as JSON lines. */
  lines: PerformOpen;
  /** Whether the connection for notifications is listening; undefined before its first use. */
  listening(): boolean | undefined;
  /** Closes that connection if no request needs it. */
  closeUnused(): void;
  /** Answers waiting requests and ends streams. */
  stop(): void;
  close(): Promise<void>;
};

export type WatchingSettings = { slots: SlotLimits; pace: Pace };

export const defaultWatching: WatchingSettings = { slots: defaultSlotLimits, pace: defaultPace };

type Parts = { perform: Perform; pools: ApiPools; unsent: Backlog; slots: Slots; pace: Pace };

/** @param connectionString of PostgreSQL itself, not of a pooler */
export function startWatching(connectionString: string, { perform, pools, unsent, slots, pace }: Parts): Watching {
  const stopping = new AbortController();
  const notifications = openNotifications(connectionString);
  const reader = makeReader(pools);
  const streams = makeStreams(notifications, reader, pace, unsent);
  const feeds = makeFeeds(pools, notifications, pace.heartbeatMs);
  return {
    wait: makeWait({ perform, notifications, reader, slots, stopping: stopping.signal }),
    watch: makeWatch({ perform, slots, streams }),
    follow: makeFollow({ perform, slots, feeds, pace, unsent, stopping: stopping.signal }),
    lines: makeLines({ perform, slots, stopping: stopping.signal, unsent }),
    listening: notifications.listening,
    closeUnused: notifications.closeUnused,
    stop() {
      stopping.abort();
      streams.stop();
      feeds.stop();
    },
    close: () => notifications.close(),
  };
}
