/**
 * Polled queries: every 5 s, with back-off up to 60 s while they fail, and not while the tab is hidden.
 * After a failure the last data stays, with its time.
 */
import { useEffect, useState } from "preact/hooks";
import { type Failure, runSavedQuery, type Variables } from "./graphql.ts";

export type Answer<Data> = {
  data: Data | undefined;
  failure: Failure | undefined;
  /** When the data was read. */
  asOf: Date | undefined;
};

const intervalMs = 5_000;
const maxIntervalMs = 60_000;

/** Latest answers of all queries on the page. The header shows the oldest one. */
const latestAnswers = new Map<object, Pick<Answer<unknown>, "asOf" | "failure">>();
const events = new EventTarget();
const announceAnswer = () => events.dispatchEvent(new Event("answered"));

/** Polls all queries of the page at once, after an action. */
export function refresh(): void {
  events.dispatchEvent(new Event("refresh"));
}

/**
 * @param query null: no query yet
 * @param changing variables computed for each request, such as the current time
 * @param changes what `changing` depends on besides the time
 */
export function useLive<Data>(
  query: string | null,
  variables: Variables = {},
  changing: () => Variables = () => ({}),
  changes = "",
): Answer<Data> {
  const [answer, set] = useState<Answer<Data> & { key: string }>({
    key: "",
    data: undefined,
    failure: undefined,
    asOf: undefined,
  });
  const key = query ? JSON.stringify([query, variables, changes]) : "";
  useEffect(() => {
    if (!query) return;
    const id = {};
    let latest: Answer<Data> = { data: undefined, failure: undefined, asOf: undefined };
    let waitMs = intervalMs;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pending: AbortController | undefined;
    const poll = async () => {
      clearTimeout(timer);
      if (document.hidden && latest.asOf) return;
      pending?.abort();
      const mine = new AbortController();
      pending = mine;
      const result = await runSavedQuery<Data>(query, { ...variables, ...changing() }, mine.signal);
      if (mine.signal.aborted) return;
      if (result.failure) {
        waitMs = Math.min(waitMs * 2, maxIntervalMs);
        latest = { ...latest, failure: result.failure };
      } else {
        waitMs = intervalMs;
        latest = { data: result.data, failure: undefined, asOf: new Date() };
      }
      set({ ...latest, key });
      latestAnswers.set(id, latest);
      announceAnswer();
      timer = setTimeout(poll, waitMs * (0.9 + Math.random() / 5));
    };
    const pollIfVisible = () => {
      if (!document.hidden) poll();
    };
    poll();
    document.addEventListener("visibilitychange", pollIfVisible);
    addEventListener("online", poll);
    events.addEventListener("refresh", poll);
    return () => {
      pending?.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", pollIfVisible);
      removeEventListener("online", poll);
      events.removeEventListener("refresh", poll);
      latestAnswers.delete(id);
      announceAnswer();
    };
  }, [key]);
  // An answer to the previous query must not be shown for the new one.
  return answer.key === key ? answer : { data: undefined, failure: undefined, asOf: undefined };
}

export type Liveness = { state: "none" | "live" | "offline"; asOf: Date | undefined };

export function useLiveness(): Liveness {
  const [liveness, set] = useState<Liveness>({ state: "none", asOf: undefined });
  useEffect(() => {
    const update = () => {
      const all = [...latestAnswers.values()];
      const times = all.flatMap(({ asOf }) => (asOf ? [asOf.getTime()] : []));
      set({
        state: all.some(({ failure }) => failure?.kind === "unavailable")
          ? "offline"
          : times.length > 0
            ? "live"
            : "none",
        asOf: times.length > 0 ? new Date(Math.min(...times)) : undefined,
      });
    };
    events.addEventListener("answered", update);
    update();
    return () => events.removeEventListener("answered", update);
  }, []);
  return liveness;
}
