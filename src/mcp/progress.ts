/** Progress notifications of a call that waits for a run: the preview of its answer. (docs/mcp.md) */
import { type Delta, noPreview, withDelta } from "../contract/preview.ts";

/** The end of a longer preview is sent. */
const maxMessageUnits = 2_000;

export type ProgressToken = string | number;

/** The token of a call whose client wants notifications. */
export function progressTokenOf(params: Record<string, unknown>): ProgressToken | undefined {
  const token = (params._meta as { progressToken?: unknown } | null | undefined)?.progressToken;
  return typeof token === "string" || Number.isInteger(token) ? (token as ProgressToken) : undefined;
}

type Progress = {
  method: "notifications/progress";
  params: { progressToken: ProgressToken; progress: number; message: string };
};

/** `progress` grows with each delta, also if the text begins again. */
export function progressOf(progressToken: ProgressToken, notify: (progress: Progress) => Promise<void>) {
  let [preview, progress] = [noPreview, 0];
  return (json: string): void => {
    const delta = JSON.parse(json) as Delta;
    preview = withDelta(preview, delta);
    progress += delta.text.length;
    const message = preview.text.slice(-maxMessageUnits).toWellFormed();
    notify({ method: "notifications/progress", params: { progressToken, progress, message } }).catch(() => {}); // the client has left
  };
}
