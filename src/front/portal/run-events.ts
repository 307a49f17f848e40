/** A run with its steps as they happen: the stream of its events, which begins with the past ones. */
import { useState } from "preact/hooks";
import { useOne } from "../parts/api.ts";
import { type StreamState, useEventStream } from "../parts/event-stream.ts";
import type { Schemas } from "./schemas.ts";

type Run = Schemas["Run"];
type Step = Schemas["Step"];

export type WatchedRun = {
  run: Run | undefined;
  /** The steps of the stream, newest first. */
  steps: Step[];
  /** Increases when the conversation or the approvals may have changed. */
  news: number;
  stream: StreamState;
  error: Error | undefined;
  reload: () => void;
};

/** @param mayWatch whether the session may open the stream */
export function useWatchedRun(id: string, mayWatch: boolean): WatchedRun {
  const loaded = useOne<Run>(`/runs/${id}`);
  const [{ run, steps, news }, set] = useState<{ run?: Run; steps: Step[]; news: number }>({ steps: [], news: 0 });
  const isOpen = loaded.data && !loaded.data.finishedAt; // a finished run has no further events
  const stream = useEventStream(mayWatch && isOpen ? `/runs/${id}/events` : null, ({ event, data }) =>
    set((last) => {
      if (event === "step") return { ...last, steps: [data as Step, ...last.steps] };
      const news = last.news + 1;
      // A person's message has no event, but it resumes the run.
      return event === "state" || event === "end" ? { ...last, news, run: data as Run } : { ...last, news };
    }),
  );
  return { run: run ?? loaded.data, steps, news, stream, error: loaded.error, reload: loaded.reload };
}
