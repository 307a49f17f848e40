/** The page docs/unproven-functions.md: what is not proven of the bodies of functions, in this version. */
import { existsSync, readFileSync } from "node:fs";
import type { Unproven } from "./reach.ts";

const page = new URL("../../docs/unproven-functions.md", import.meta.url);

const lineOf = ({ function: name, role, access, reason }: Unproven): string =>
  `| \`${name.replaceAll("|", "\\|")}\` | ${role} | ${access || "the function"} | ${reason} |`;

/** What is not on the page. */
export function unlisted(unproven: Unproven[]): Unproven[] {
  const known = new Set(existsSync(page) ? readFileSync(page, "utf8").split("\n") : []);
  return unproven.filter((each) => !known.has(lineOf(each)));
}

export const pageOf = (unproven: Unproven[]): string =>
  `# Functions that are not proven

\`npx botstead audit prove --list\` writes this page. A caller reaches these functions with the rights of their owner. The prover does not bind these reads
and writes to the organisation of the caller. [Auditing](auditing.md#does-that-hold-for-every-row-and-setting) describes the proof.
A test fails if the list grows.

- "is bound only in a request of an organisation": the policies of \`owner\` restrict the row to the organisation of the request. Requests of platform keys
  and mailed links have no organisation, and neither have the counters of the processes. The prover does not judge other conditions, such as the digest of a link.
- "is bound by an argument that is not proven" and "gives the argument": a call passes a value that the prover cannot trace to the caller.
- "is not bound to an organisation": the policy of the role admits all organisations, with the reason in \`npx botstead audit prove --full\`.
- "it sets the identity of the caller": the function authenticates, or acts for another organisation or none.

| Function | Runs as | Place | Reason |
|---|---|---|---|
${unproven.map(lineOf).join("\n")}
`;
