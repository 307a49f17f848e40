/** Short messages that disappear after some seconds. */
import { useEffect, useState } from "preact/hooks";

type Toast = { id: number; text: string; kind: "good" | "bad" };

const shownMs = 5_000;
const events = new EventTarget();
let lastId = 0;

export function toast(text: string, kind: Toast["kind"] = "good"): void {
  lastId += 1;
  events.dispatchEvent(new CustomEvent<Toast>("toast", { detail: { id: lastId, text, kind } }));
}

/** The error's message as a toast. */
export function toastError(error: unknown): void {
  toast((error as Error).message, "bad");
}

/** Renders the current toasts; once a program. */
export function Toasts() {
  const [toasts, set] = useState<Toast[]>([]);
  useEffect(() => {
    const add = (event: Event) => {
      const { detail } = event as CustomEvent<Toast>;
      set((last) => [...last, detail]);
      setTimeout(() => set((last) => last.filter(({ id }) => id !== detail.id)), shownMs);
    };
    events.addEventListener("toast", add);
    return () => events.removeEventListener("toast", add);
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, kind }) => (
        <p key={id} class={`toast ${kind}`}>
          {text}
        </p>
      ))}
    </div>
  );
}
