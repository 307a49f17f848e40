/**
 * Live event feeds. All streams of an organisation are followers of one feed: after a notification, one statement reads for
 * all of them, under the key of one of them, and each sends the kinds that it wants. Admins of an organisation read the same events, so it
 * does not matter which. At each heartbeat, and after a change of the organisation's credentials, every key reads for its own followers,
 * so a revoked key ends its streams.
 * (docs/specification/events.md#live)
 */
import { setTimeout as sleep } from "node:timers/promises";
import { eventFeed } from "../../contract/event-feed.ts";
import type { ApiPools } from "../../database/connections/api-pools.ts";
import { hasOrganisationMoved } from "../../database/outage.ts";
import { readFeedPosition } from "../cursors.ts";
import { newRequestId } from "../request.ts";
import { callerKey } from "../stages/authenticate.ts";
import { callHandle } from "../stages/call.ts";
import { type Page, readPage } from "./feed-lines.ts";
import { makeFeedReads } from "./feed-reads.ts";
import { accessTo, type Notifications } from "./notifications.ts";

/** One stream, at the end of the feed. */
export type Follower = {
  credential: Buffer;
  /** The caller's address: a key may be restricted to some. */
  address: string | undefined;
  organisationId: string;
  /** The kind of events that it wants. Undefined: all. */
  event: string | undefined;
  /** The cursor after the last event that was sent. */
  position: string;
  isOpen(): boolean;
  /** Sends the wanted events after its position. Ends the stream if it is too slow. */
  send(page: Page): void;
  end(): void;
};

export type Feeds = {
  /** Reads the wanted events after the follower's position. Undefined if its key may not read the feed, or its stream is closed. */
  read(follower: Follower): Promise<Page | undefined>;
  /** Sends new events to the follower. Returns a function that ends this. */
  follow(follower: Follower): () => void;
  /** Ends all streams. */
  stop(): void;
};

type Feed = {
  followers: Set<Follower>;
  isReading: boolean;
  wantsRead: boolean;
  unsubscribe(): void;
};

const pageSize = 200;
/** Pauses after a failed read. */
const minPauseMs = 50;
const maxPauseMs = 1_000;

const [listEvents] = eventFeed as [(typeof eventFeed)[number]];

export function makeFeeds(pools: ApiPools, notifications: Notifications, heartbeatMs: number): Feeds {
  const feeds = new Map<string, Feed>();
  const reads = makeFeedReads();

  /** Undefined if the key may not read the feed. */
  async function call({ credential, address, organisationId }: Follower, position: string, event?: string) {
    const list = position.slice(0, 8);
    const filter = event ? { event } : {};
    const input = { ...readFeedPosition(position, list), list, limit: pageSize, live: true, ...filter };
    const call = { credential, address, organisationId, operation: listEvents, requestId: newRequestId(), input };
    const { status, body } = await callHandle(pools, "pooled", call);
    return status ? readPage(body) : undefined;
  }

  const read = (follower: Follower): Promise<Page | undefined> =>
    reads.run(follower.organisationId, follower.isOpen, () => call(follower, follower.position, follower.event));

  /** Reads for followers under the key of the first. Returns the last page; undefined if the key was refused. */
  async function readFor(followers: Set<Follower>, reader: Follower): Promise<Page | undefined> {
    const isFollowed = () => followers.size > 0;
    for (;;) {
      const page = await reads.run(reader.organisationId, isFollowed, () =>
        call(reader, leastPosition(followers, reader)),
      );
      if (!page) return undefined;
      for (const follower of followers) follower.send(page);
      if (!page.hasMore || followers.size === 0) return page;
    }
  }

  /** Ends all streams that read under the same key from the same address. */
  function endAll(followers: Set<Follower>, refused: Follower): void {
    for (const follower of followers) {
      if (callerOf(follower) !== callerOf(refused)) continue;
      followers.delete(follower);
      follower.end();
    }
  }

  async function readOn(feed: Feed): Promise<void> {
    if (feed.isReading) {
      feed.wantsRead = true;
      return;
    }
    feed.isReading = true;
    for (let pauseMs = minPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      const reader = firstOpen(feed.followers);
      if (!reader) break;
      feed.wantsRead = false;
      const page = await readFor(feed.followers, reader).catch(
        (error: unknown) => (hasOrganisationMoved(error) ? undefined : null), // an outage passes; the clients resume in the other cell
      );
      if (page === undefined && reader.isOpen()) endAll(feed.followers, reader);
      else if (!page) await sleep(pauseMs, undefined, { ref: false });
      else if (!feed.wantsRead) break;
    }
    feed.isReading = false;
  }

  function open(organisationId: string): Feed {
    const subscriptions = [
      notifications.subscribe(organisationId, () => void readOn(feed)),
      notifications.subscribe(accessTo(organisationId), () => checkCallers(feed)),
    ];
    const unsubscribe = () => {
      for (const end of subscriptions) end();
    };
    const feed: Feed = { followers: new Set(), isReading: false, wantsRead: false, unsubscribe };
    feeds.set(organisationId, feed);
    return feed;
  }

  function checkCallers(feed: Feed): void {
    const { followers } = feed;
    const callers = new Map([...followers].map((follower) => [callerOf(follower), follower]));
    for (const reader of callers.values()) {
      read(reader).then(
        (page) => {
          if (!page && reader.isOpen()) endAll(followers, reader);
          else if (page && page.events.length > 0) void readOn(feed); // its notification was lost
        },
        (error: unknown) => {
          if (hasOrganisationMoved(error)) endAll(followers, reader); // any other outage passes
        },
      );
    }
  }

  const heartbeat = setInterval(() => {
    for (const feed of feeds.values()) checkCallers(feed);
  }, heartbeatMs);
  heartbeat.unref();

  return {
    read,
    follow(follower) {
      const { organisationId } = follower;
      const feed = feeds.get(organisationId) ?? open(organisationId);
      feed.followers.add(follower);
      void readOn(feed); // events that were written since the first read
      return () => {
        feed.followers.delete(follower);
        if (feed.followers.size > 0 || feeds.get(organisationId) !== feed) return;
        feeds.delete(organisationId);
        feed.unsubscribe();
      };
    },
    stop() {
      clearInterval(heartbeat);
      for (const { followers } of feeds.values()) for (const follower of followers) follower.end();
    },
  };
}

function firstOpen(followers: Set<Follower>): Follower | undefined {
  for (const follower of followers) if (follower.isOpen()) return follower;
  return undefined;
}

function leastPosition(followers: Set<Follower>, { position }: Follower): string {
  return [...followers].reduce((least, each) => (each.position < least ? each.position : least), position);
}

const callerOf = ({ credential, address }: Follower): string => callerKey(credential, address);
