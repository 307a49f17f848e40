/**
 * Answers that stay true while one looks: asked again every few seconds, not at all while the tab is hidden, and more
 * and more seldom while there is no answer. What was there stays, with the moment it was true at.
 */
import { useEffect, useState } from "preact/hooks";
import { ask, type Failure, type Variables } from "./graphql.ts";

export type Answer<Data> = {
  data: Data | undefined;
  failure: Failure | undefined;
  /** When the data was true. */
  asOf: Date | undefined;
};

const everyMs = 5_000;
const atMostMs = 60_000;

/** What the line at the top says: the oldest of the answers that are on the page. */
const standing = new Map<object, Pick<Answer<unknown>, "asOf" | "failure">>();
const heard = new EventTarget();
const told = () => heard.dispatchEvent(new Event("told"));

/** Asks for everything on the page again: something was done. */
export function askAgain(): void {
  heard.dispatchEvent(new Event("again"));
}

/**
 * @param query null asks nothing yet
 * @param moving variables that are another's each time that is asked, as now is
 */
export function useLive<Data>(
  query: string | null,
  variables: Variables = {},
  moving: () => Variables = () => ({}),
): Answer<Data> {
  const [answer, set] = useState<Answer<Data> & { key: string }>({
    key: "",
    data: undefined,
    failure: undefined,
    asOf: undefined,
  });
  const key = query ? JSON.stringify([query, variables]) : "";
  useEffect(() => {
    if (!query) return;
    const me = {};
    let latest: Answer<Data> = { data: undefined, failure: undefined, asOf: undefined };
    let waitMs = everyMs;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking: AbortController | undefined;
    const look = async () => {
      clearTimeout(timer);
      if (document.hidden && latest.asOf) return;
      asking?.abort();
      const mine = new AbortController();
      asking = mine;
      const result = await ask<Data>(query, { ...variables, ...moving() }, mine.signal);
      if (mine.signal.aborted) return;
      if (result.failure) {
        waitMs = Math.min(waitMs * 2, atMostMs);
        latest = { ...latest, failure: result.failure };
      } else {
        waitMs = everyMs;
        latest = { data: result.data, failure: undefined, asOf: new Date() };
      }
      set({ ...latest, key });
      standing.set(me, latest);
      told();
      timer = setTimeout(look, waitMs * (0.9 + Math.random() / 5));
    };
    const shown = () => {
      if (!document.hidden) look();
    };
    look();
    document.addEventListener("visibilitychange", shown);
    addEventListener("online", look);
    heard.addEventListener("again", look);
    return () => {
      asking?.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", shown);
      removeEventListener("online", look);
      heard.removeEventListener("again", look);
      standing.delete(me);
      told();
    };
  }, [key]);
  // What was asked before is no answer to what is asked now.
  return answer.key === key ? answer : { data: undefined, failure: undefined, asOf: undefined };
}

export type Liveness = { state: "none" | "live" | "cut off"; asOf: Date | undefined };

export function useLiveness(): Liveness {
  const [liveness, set] = useState<Liveness>({ state: "none", asOf: undefined });
  useEffect(() => {
    const look = () => {
      const all = [...standing.values()];
      const times = all.flatMap(({ asOf }) => (asOf ? [asOf.getTime()] : []));
      set({
        state: all.some(({ failure }) => failure?.kind === "away") ? "cut off" : times.length > 0 ? "live" : "none",
        asOf: times.length > 0 ? new Date(Math.min(...times)) : undefined,
      });
    };
    heard.addEventListener("told", look);
    look();
    return () => heard.removeEventListener("told", look);
  }, []);
  return liveness;
}
