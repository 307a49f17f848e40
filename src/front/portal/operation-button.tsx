/** A button for an operation. It is not drawn if the session may not call the operation. */
import type { ComponentChildren } from "preact";
import { useMay } from "./session-context.ts";

type Props = {
  operation: string;
  /** main: what the page is for. risky: cannot be undone. */
  kind?: "main" | "risky" | undefined;
  onClick: () => void;
  children: ComponentChildren;
};

export function OperationButton({ operation, kind, onClick, children }: Props) {
  const may = useMay();
  return may(operation) ? (
    <button type="button" class={kind} onClick={onClick}>
      {children}
    </button>
  ) : null;
}
