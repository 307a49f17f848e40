/** Puts the deltas of a run together. (docs/specification/runs.md#deltas) */
export type Delta = { attempt: number; offset: number; text: string };

/** `length` in code points, of the whole text as the executor sent it. */
export type Preview = { attempt: number; length: number; text: string };

export const noPreview: Preview = { attempt: 0, length: 0, text: "" };

/** After a gap the text begins with an ellipsis. */
export function withDelta(preview: Preview, { attempt, offset, text }: Delta): Preview {
  if (attempt < preview.attempt) return preview; // of an executor that lost the run
  const follows = attempt === preview.attempt && offset === preview.length;
  const before = offset === 0 ? "" : follows ? preview.text : "…";
  return { attempt, length: offset + [...text].length, text: before + text };
}
