/**
 * The signed-in operator. The server shows its sign-in page in place of any page. It then identifies the browser by a
 * cookie that scripts cannot read, and a CSRF token that pages of other sites do not know.
 */
import { useEffect, useState } from "preact/hooks";
import { partTexts } from "../parts/texts.ts";

export type Operator = { name: string; scope: "view" | "act"; expiresAt: string };

let operator: (Operator & { csrfToken: string }) | undefined;
let request: Promise<void> | undefined;

const retryMs = 5_000;

/** `operator` is undefined until the session is loaded. A failure is shown, and tried again by itself too. */
export function useOperator(): { operator: Operator | undefined; error: Error | undefined; retry: () => void } {
  const [known, set] = useState(operator);
  const [error, setError] = useState<Error>();
  const [round, setRound] = useState(0);
  const retry = () => setRound((last) => last + 1);
  useEffect(() => {
    if (known) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    loadSession().then(
      () => set(operator),
      () => {
        setError(new Error(partTexts.failures.unreachable));
        timer = setTimeout(retry, retryMs);
      },
    );
    return () => clearTimeout(timer);
  }, [round]);
  return { operator: known, error: known ? undefined : error, retry };
}

export const canPerformActions = (): boolean => operator?.scope === "act";

/** Reloads the page: the server shows the sign-in page and returns here afterwards. */
export function signInAgain(): void {
  location.reload();
}

/** The CSRF header, which every request of a session needs. */
export async function csrfHeader(): Promise<Record<string, string>> {
  await loadSession();
  return { "x-csrf-token": operator?.csrfToken ?? "" };
}

/** Loads the session once; after a failure the next call retries. */
function loadSession(): Promise<void> {
  request ??= (async () => {
    const response = await fetch("/session", { headers: { accept: "application/json" } });
    if (response.status === 401) signInAgain();
    if (!response.ok) throw new Error(`/session responded ${response.status}`);
    operator = (await response.json()) as typeof operator;
  })().catch((error) => {
    request = undefined;
    throw error;
  });
  return request;
}

export async function signOut(): Promise<void> {
  await fetch("/session", { method: "DELETE", headers: await csrfHeader() });
  location.assign("/");
}
