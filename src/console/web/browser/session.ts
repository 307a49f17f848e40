/**
 * Who is signed in. Signing in is the server's own page, shown in place of what was asked; from then on a cookie speaks
 * that no script can read, and a token beside it that no other site's page knows.
 */
import { useEffect, useState } from "preact/hooks";

export type Operator = { name: string; scope: "view" | "act"; expiresAt: string };

let operator: (Operator & { csrfToken: string }) | undefined;
let finding: Promise<void> | undefined;

const retryMs = 5_000;

/** Undefined until it is known. */
export function useOperator(): Operator | undefined {
  const [known, set] = useState(operator);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const find = () =>
      findSession().then(
        () => set(operator),
        () => {
          timer = setTimeout(find, retryMs); // away for a moment
        },
      );
    if (!known) find();
    return () => clearTimeout(timer);
  }, []);
  return known;
}

export const mayAct = (): boolean => operator?.scope === "act";

/** The same address again: the server asks who it is, and leads back here. */
export function signInAgain(): void {
  location.reload();
}

/** The header without which no call of a session is followed. */
export async function ownHeader(): Promise<Record<string, string>> {
  await findSession();
  return { "x-csrf-token": operator?.csrfToken ?? "" };
}

/** Asked once; after a failure by whoever needs it next. */
function findSession(): Promise<void> {
  finding ??= (async () => {
    const response = await fetch("/session", { headers: { accept: "application/json" } });
    if (response.status === 401) signInAgain();
    if (!response.ok) throw new Error(`/session answered ${response.status}`);
    operator = (await response.json()) as typeof operator;
  })().catch((error) => {
    finding = undefined;
    throw error;
  });
  return finding;
}

export async function signOut(): Promise<void> {
  await fetch("/session", { method: "DELETE", headers: await ownHeader() });
  location.assign("/");
}
