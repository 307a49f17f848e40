/** A link to another section, or only its text if the session does not reach that section. */
import type { ComponentChildren } from "preact";
import { useSession } from "./session-context.ts";

/** @param href below /portal/<section>/ */
export function Linked({ href, children }: { href: string; children: ComponentChildren }) {
  const { operations } = useSession();
  const [, , section = ""] = href.split("/");
  return section in operations ? <a href={href}>{children}</a> : <span>{children}</span>;
}
