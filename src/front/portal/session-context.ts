/** The session for pages that depend on what it may do. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Session } from "./session.ts";

export const SessionContext = createContext<Session | undefined>(undefined);

/** Whether the session may call the operation; a control without its operation is not drawn. */
export function useMay(): (operation: string) => boolean {
  const session = useContext(SessionContext);
  return (operation) => Object.values(session?.operations ?? {}).some((names) => names.includes(operation));
}
