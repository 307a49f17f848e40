/** Formats an audit for a terminal: a summary and the findings; in full also everything examined. */
import { examined, exposed } from "./audit-examined.ts";
import type { LogState } from "./audit-log-state.ts";
import type { Accepted, Audit, Finding } from "./audit-rows.ts";
import { beside, section } from "./audit-text.ts";
import { counted } from "./output.ts";

export function auditReport(audit: Audit, isFull: boolean): string {
  const { exposure, findings, accepted, log } = audit;
  const sections = [
    [`Audit of database ${audit.database}, ${audit.at.toISOString()}`],
    summary(audit, isFull),
    section(`Findings: ${findings.length || "none, all invariants hold"}`, findings.flatMap(finding)),
    auditLog(log),
    accepted && accepted.length > 0 ? section(`Accepted: ${accepted.length}`, accepted.flatMap(acceptance)) : undefined,
    exposure && section("What the person reads and writes through each credential", exposed(exposure)),
    ...(isFull ? examined(audit) : []),
  ];
  return `${sections
    .filter((lines) => lines !== undefined)
    .flat()
    .join("\n")}\n`;
}

/** Undefined for --findings. */
function summary(audit: Audit, isFull: boolean): string[] | undefined {
  const { roles, policies, definer_functions, grants, exceptions, findings, accepted, unseen, elsewhere } = audit;
  if (!roles || !policies || !definer_functions || !grants || !exceptions) return undefined;
  if (!accepted || !unseen || !elsewhere) return undefined;
  const of = (kind: string) => counted(elsewhere.filter((other) => other.kind === kind).length, kind);
  const bySeverity = [...Map.groupBy(findings, ({ severity }) => severity)].map(([of, some]) => `${some.length} ${of}`);
  return section("Summary", [
    ...beside("Findings:   ", bySeverity.join(", ") || "none"),
    ...beside(
      "Examined:   ",
      `${roles.length} roles, ${policies.length} policies, ${definer_functions.length} functions with their owner's rights, ` +
        `${grants.length} privileges`,
    ),
    ...beside(
      "Exceptions: ",
      `${exceptions.length} of Botstead, each with its reason; ${accepted.length} accepted by you`,
    ),
    ...beside("Not seen:   ", unseen.map(({ what, how }) => `${what} (${how})`).join("; ")),
    ...beside("Elsewhere:  ", `${of("database")} and ${of("role")} of this cluster, which do not reach this database`),
    ...(isFull ? [] : ["--full prints everything examined."]),
  ]);
}

function auditLog({ faults, signed_at: at }: LogState): string[] {
  if (faults.length > 0) {
    const title = `Audit log: ${counted(faults.length, "open fault")}, no checkpoint is signed`;
    return section(title, [...faults, "Remedy: docs/runbooks/security.md, BotsteadAuditLogFaults"]);
  }
  const state = at === null ? "not checked, since no worker has signed a checkpoint" : "no open fault";
  const newest = at === null ? [] : [`The newest checkpoint is of ${at.toISOString()}.`];
  return section(`Audit log: ${state}`, [...newest, "botstead audit verify reads the whole log."]);
}

const finding = ({ finding: id, severity, object, what, expected, actual, why, remedy }: Finding): string[] => [
  `${severity.padEnd(10)}${object} [${id}]`,
  ...[what, expected && `Expected: ${expected}`, actual && `Actual: ${actual}`, why, `Remedy: ${remedy}`]
    .filter((text) => text !== null)
    .flatMap((text) => beside(" ".repeat(10), text)),
];

const acceptance = ({ finding: id, object, what, accepted_by, accepted_at, reason }: Accepted): string[] => [
  `${object} [${id}]`,
  ...[
    what,
    `Accepted by ${accepted_by} on ${accepted_at.toISOString().slice(0, 10)}${reason ? `: ${reason}` : ""}`,
  ].flatMap((text) => beside("    ", text)),
];
