/**
 * Sends the text of an answer as it grows, a piece at a time. A fast model does not cause a notification for each token. A
 * preview may be incomplete: a failed piece ends it, and nothing waits for it. (docs/specification/executors.md#deltas)
 */
const intervalMs = 200;
/** Limits of runner.delta, in code points. */
const maxPiece = 1_000;
const maxPreview = 32_000;

export type Preview = {
  /** @param read returns the whole text so far, when the next piece is due */
  show(read: () => string, memoryIds: string[]): void;
  end(): void;
};

type Send = (after: number, text: string, memoryIds: string[]) => Promise<unknown>;

export function previewBy(send: Send): Preview {
  let latest: { read: () => string; memoryIds: string[] } | undefined;
  let sent = "";
  let length = 0;
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;

  /** Sends the next piece. Returns whether more is there. */
  async function sendPiece(): Promise<boolean> {
    const text = latest?.read() ?? "";
    if (text === "") return false;
    if (!text.startsWith(sent)) [sent, length] = ["", 0]; // another turn of the model
    const rest = text.slice(sent.length);
    const piece = [...rest.slice(0, 2 * maxPiece)].slice(0, Math.min(maxPiece, maxPreview - length));
    if (piece.length === 0) return false;
    const after = length;
    sent += piece.join("");
    length += piece.length;
    await send(after, piece.join(""), latest?.memoryIds ?? []);
    return sent.length < text.length;
  }

  function schedule(): void {
    if (hasEnded) return;
    timer ??= setTimeout(() => {
      const shown = latest;
      sendPiece().then(
        (isBehind) => {
          timer = undefined;
          if (isBehind || latest !== shown) schedule();
        },
        () => {
          hasEnded = true;
        },
      );
    }, intervalMs);
  }

  return {
    show(read, memoryIds) {
      latest = { read, memoryIds };
      schedule();
    },
    end() {
      hasEnded = true;
      clearTimeout(timer);
    },
  };
}
