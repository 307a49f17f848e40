/** The services of a process for open requests: notifications, slots and streams. */
import type { ApiPools } from "../../database/api-pools.ts";
import type { Backlog } from "../../web/backlog.ts";
import { type Notifications, openNotifications } from "./notifications.ts";
import { makeReader } from "./reader.ts";
import { defaultSlotLimits, makeSlots, type SlotLimits, type Slots } from "./slots.ts";
import { defaultPace, makeStreams, type Pace, type Streams } from "./streams.ts";

export type Watching = {
  notifications: Notifications;
  slots: Slots;
  streams: Streams;
  /** Aborted when the process stops: waiting requests are answered at once. */
  stopping: AbortSignal;
  /** Answers waiting requests and ends streams. */
  stop(): void;
  close(): Promise<void>;
};

export type WatchingSettings = { slots: SlotLimits; pace: Pace };

export const defaultWatching: WatchingSettings = { slots: defaultSlotLimits, pace: defaultPace };

export function startWatching(
  connectionString: string,
  pools: ApiPools,
  settings: WatchingSettings,
  unsent: Backlog,
): Watching {
  const stopping = new AbortController();
  const notifications = openNotifications(connectionString);
  const streams = makeStreams(notifications, makeReader(pools), settings.pace, unsent);
  return {
    notifications,
    slots: makeSlots(settings.slots),
    streams,
    stopping: stopping.signal,
    stop() {
      stopping.abort();
      streams.stop();
    },
    close: () => notifications.close(),
  };
}
