/** A run with its steps as they happen: the stream of its events, which begins with the past ones. */
import { useState } from "preact/hooks";
import { type Delta, noPreview, type Preview, withDelta } from "../../contract/preview.ts";
import { useOne } from "../parts/api.ts";
import { type StreamState, useEventStream } from "../parts/event-stream.ts";
import type { Schemas } from "./schemas.ts";

type Run = Schemas["Run"];
type Step = Schemas["Step"];

type Seen = { run?: Run; steps: Step[]; news: number; preview: Preview };

/** A late delta of the same attempt shows as one after a gap. */
const emptied = (preview: Preview): Preview => ({ ...preview, text: "" });

export type WatchedRun = {
  run: Run | undefined;
  /** The steps of the stream, newest first. */
  steps: Step[];
  /** The answer while an executor writes it, for the person of the conversation. Empty otherwise. */
  preview: string;
  /** Increases when the conversation or the approvals may have changed. */
  news: number;
  stream: StreamState;
  error: Error | undefined;
  reload: () => void;
};

/** @param mayWatch whether the session may open the stream */
export function useWatchedRun(id: string, mayWatch: boolean): WatchedRun {
  const loaded = useOne<Run>(`/runs/${id}`);
  const [{ run, steps, news, preview }, set] = useState<Seen>({ steps: [], news: 0, preview: noPreview });
  const isOpen = loaded.data && !loaded.data.finishedAt; // a finished run has no further events
  const stream = useEventStream(mayWatch && isOpen ? `/runs/${id}/events?include=deltas` : null, ({ event, data }) =>
    set((last) => {
      if (event === "delta") return { ...last, preview: withDelta(last.preview, data as Delta) };
      if (event === "step") return { ...last, steps: [data as Step, ...last.steps] };
      const news = last.news + 1;
      if (event === "message") return { ...last, news, preview: emptied(last.preview) };
      if (event !== "state" && event !== "end") return { ...last, news };
      // A person's message has no event, but it resumes the run.
      const now = data as Run;
      return { ...last, news, run: now, preview: now.state === "running" ? last.preview : emptied(last.preview) };
    }),
  );
  return {
    run: run ?? loaded.data,
    steps,
    news,
    preview: preview.text,
    stream,
    error: loaded.error,
    reload: loaded.reload,
  };
}
