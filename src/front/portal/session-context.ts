/** The session for pages that depend on what it may do. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Session } from "./session.ts";

export const SessionContext = createContext<Session | undefined>(undefined);

/** @throws Error outside the frame */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("There is no session.");
  return session;
}

/** Whether the session may call the operation; a control without its operation is not drawn. */
export function useMay(): (operation: string) => boolean {
  const { operations } = useSession();
  return (operation) => Object.values(operations).some((names) => names.includes(operation));
}

/** Whether the session may export: an owner's own, which also reads the proof of the export. The API refuses others. */
export function useMayExport(): boolean {
  const may = useMay();
  const { role } = useSession();
  return role === "owner" && may("create_export") && may("get_audit_proof");
}
