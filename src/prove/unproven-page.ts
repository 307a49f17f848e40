/** The page docs/unproven-functions.md: what is not proven of the bodies of functions, in this version. */
import { existsSync, readFileSync } from "node:fs";
import type { Unproven } from "./reach.ts";

const page = new URL("../../docs/unproven-functions.md", import.meta.url);

const functionOf = ({ function: name, role }: Pick<Unproven, "function" | "role">): string =>
  `\`${name.replaceAll("|", "\\|")}\`${role === "owner" ? "" : ` as ${role}`}`;

/** The reads and writes with their reason, or the reason alone for the function as a whole. */
const groupOf = ([reason, places]: [string, Unproven[]]): string =>
  [places.flatMap(({ access }) => access || []).join(", "), reason].filter((part) => part !== "").join(": ");

/** One line for each function. */
const linesOf = (unproven: Unproven[]): string[] =>
  [...Map.groupBy(unproven, functionOf)].map(([name, places]) => {
    const groups = Map.groupBy(places, ({ reason }) => reason);
    return `| ${name} | ${[...groups].map(groupOf).join("<br>")} |`;
  });

const placesOf = (line: string): string[] => {
  const [, name = "", groups = ""] = /^\| (.+) \| (.+) \|$/.exec(line) ?? [];
  return groups.split("<br>").flatMap((group) => {
    const [, accesses = "", reason = group] = /^((?:(?:, )?[a-z]+ on [\w.]+)+): (.+)$/.exec(group) ?? [];
    return accesses.split(", ").map((access) => [name, access, reason].join(" | "));
  });
};

/** What is not on the page. */
export function unlisted(unproven: Unproven[]): Unproven[] {
  const lines = existsSync(page) ? readFileSync(page, "utf8").split("\n") : [];
  const known = new Set(lines.flatMap(placesOf));
  return unproven.filter((each) => !known.has([functionOf(each), each.access, each.reason].join(" | ")));
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

| Function, as \`owner\` unless another role is named | Not proven |
|---|---|
${linesOf(unproven).join("\n")}
`;
