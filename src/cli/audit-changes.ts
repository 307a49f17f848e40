/** Findings about the audit itself, which the audit cannot make: a replaced view could hide them. */
import { createHash } from "node:crypto";
import type { ChangedDefinition } from "../database/audit-definitions.ts";
import { version } from "../version.ts";
import type { Finding, Unseen } from "./audit-rows.ts";

export const findingOfAudit = ({ object, change }: ChangedDefinition): Finding => ({
  finding: createHash("sha256").update(`audit_changed\n${object}\n${change}`).digest("hex").slice(0, 16),
  ...{ severity: "critical", rule: "audit_changed", object },
  what: `It is ${change}, compared with the files of version ${version}.`,
  ...{ expected: null, actual: null },
  why: "It is a part of the audit, which may hide other findings.",
  remedy: "botstead migrate --repair",
});

export const uncompared: Unseen = {
  what: "whether the audit itself was changed",
  how: "botstead audit with the master key, or docs/runbooks/security.md",
};
