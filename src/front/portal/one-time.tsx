/** Secrets that are shown once, outside of the pages: a secret stays while the page below it changes. */
import { useEffect, useState } from "preact/hooks";
import { type OneTime, OneTimeDialog } from "../parts/one-time.tsx";

const events = new EventTarget();

export function showOnce(secret: OneTime): void {
  events.dispatchEvent(new CustomEvent("show", { detail: secret }));
}

/** Renders the secret; once a frame. */
export function OneTimeSecrets() {
  const [secret, set] = useState<OneTime>();
  useEffect(() => {
    const show = (event: Event) => set((event as CustomEvent<OneTime>).detail);
    events.addEventListener("show", show);
    return () => events.removeEventListener("show", show);
  }, []);
  return secret ? <OneTimeDialog {...secret} onClose={() => set(undefined)} /> : null;
}
