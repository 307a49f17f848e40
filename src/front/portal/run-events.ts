/** A run with its steps as they happen: the stream of its events, which begins with the past ones. */
import { useState } from "preact/hooks";
import { useOne } from "../parts/api.ts";
import { type StreamState, useEventStream } from "../parts/event-stream.ts";
import type { Schemas } from "./schemas.ts";

type Run = Schemas["Run"];
type Step = Schemas["Step"];

export type WatchedRun = {
  run: Run | undefined;
  /** Those of the stream, newest first. */
  steps: Step[];
  /** Increases with each message and approval. */
  news: number;
  stream: StreamState;
  error: Error | undefined;
};

/** @param mayWatch whether the session may open the stream */
export function useWatchedRun(id: string, mayWatch: boolean): WatchedRun {
  const loaded = useOne<Run>(`/runs/${id}`);
  const [{ run, steps, news }, set] = useState<{ run?: Run; steps: Step[]; news: number }>({ steps: [], news: 0 });
  const stream = useEventStream(mayWatch && loaded.data ? `/runs/${id}/events` : null, ({ event, data }) =>
    set((last) => {
      if (event === "step") return { ...last, steps: [data as Step, ...last.steps] };
      if (event === "state" || event === "end") return { ...last, run: data as Run };
      return { ...last, news: last.news + 1 };
    }),
  );
  return { run: run ?? loaded.data, steps, news, stream, error: loaded.error };
}
