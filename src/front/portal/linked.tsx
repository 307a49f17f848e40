/** A link to another section, or only its text if the session does not reach that section. */
import type { ComponentChildren } from "preact";
import { useSession } from "./session-context.ts";

/** @param href below /portal/<section>/, or on the overview */
export function Linked({ href, children }: { href: string; children: ComponentChildren }) {
  const { operations } = useSession();
  const section = href.split(/[/#]+/)[2] || "overview";
  return section in operations ? <a href={href}>{children}</a> : <span>{children}</span>;
}
