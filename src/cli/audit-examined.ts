/** The extent of the audit, and the rows that a person reaches: the longer part of its report. */
import type { Audit, DefinerFunction, Exception, Exposure, Grant, Policy, Role } from "./audit-rows.ts";
import { beside, section } from "./audit-text.ts";

export function examined({ roles, policies, definer_functions, grants, exceptions }: Audit): (string[] | undefined)[] {
  return [
    roles && section("Roles", roles.flatMap(role)),
    policies &&
      section(
        "Policies, table by table",
        byHeading(policies, ({ table_name }) => table_name, policy),
      ),
    definer_functions &&
      section("Functions with their owner's rights, and the check that replaces row-level security", [
        ...definer_functions.flatMap(definer),
      ]),
    grants && section("Privileges, direct and inherited", grantsOf(grants)),
    exceptions &&
      section("Exceptions: findings of a rule that were reviewed and accepted", exceptions.flatMap(exception)),
  ];
}

/** Rows grouped under headings. */
function byHeading<Row>(rows: Row[], heading: (row: Row) => string, line: (row: Row) => string[]): string[] {
  return [...Map.groupBy(rows, heading)].flatMap(([title, group]) => [
    title,
    ...group.flatMap(line).map((text) => `  ${text}`),
  ]);
}

function role({ name, purpose, logs_in, settings }: Role): string[] {
  const set = Object.entries(settings).map(([setting, value]) => `${setting}=${value}`);
  return [
    ...beside(name.padEnd(15), `${purpose}${logs_in ? "" : " (no login)"}`),
    ...(set.length > 0 ? beside(" ".repeat(15), set.join(" ")) : []),
  ];
}

const policy = ({ role: to, command, policy: name, permissive, comment }: Policy): string[] =>
  beside(
    `${to.padEnd(15)}${command.padEnd(8)}`,
    `${comment ?? "(no comment)"}${permissive ? "" : " (restricts)"} [${name}]`,
  );

function definer({ function: name, runs_as, executed_by, instead }: DefinerFunction): string[] {
  const by = executed_by.length > 0 ? executed_by.join(", ") : "only triggers and owner";
  return [name, ...beside("    ", `as ${runs_as}, by ${by}: ${instead ?? "(no comment)"}`)];
}

function grantsOf(grants: Grant[]): string[] {
  return byHeading(
    [...Map.groupBy(grants, ({ role: to, through }) => `${to}, as ${through}`)],
    ([title]) => title,
    ([title, group]) => {
      // An owner has all privileges on thousands of objects.
      if (title.endsWith(", as owner"))
        return [`all on what it owns: ${new Set(group.map(({ object }) => object)).size}`];
      return [...Map.groupBy(group, ({ kind, privilege }) => `${privilege.toLowerCase()} on ${kind}`)].flatMap(
        ([privilege, on]) => beside(`${privilege}: `, listed([...new Set(on.map(named))]).join(", ")),
      );
    },
  );
}

/** For a schema with many objects only their number; audit.grants has each. */
function listed(objects: string[]): string[] {
  return [...Map.groupBy(objects, (object) => object.split(".")[0])].flatMap(([schema, group]) =>
    group.length > 15 ? [`${group.length} of ${schema}`] : group,
  );
}

const named = ({ object, columns }: Grant): string =>
  `${object.replace(/\(.*\)$/, "")}${columns ? ` (${columns.join(", ")})` : ""}`;

const exception = ({ rule, object, detail, reason }: Exception): string[] => [
  `${object}: ${detail ?? rule}`,
  ...beside("    ", reason),
];

export function exposed(rows: Exposure[]): string[] {
  const heading = (row: Exposure) =>
    `organisation ${row.organisation_id}, ${row.member_role ?? "no longer a member"}, credential ${
      row.key_prefix ? `${row.key_prefix} of scope ${row.scope}, ${row.key_state}` : row.key_state
    }`;
  return [...Map.groupBy(rows, heading)].flatMap(([title, group]) => [
    title,
    ...[...Map.groupBy(group, ({ table_name }) => table_name)].flatMap(([table, commands]) =>
      table === null
        ? ["  nothing"]
        : beside(`  ${table.padEnd(30)}`, commands.map(count).filter(Boolean).join(", ") || "nothing"),
    ),
  ]);
}

/** Inserts have no row count: they are possible or not. */
function count({ command, rows, policies }: Exposure): string {
  if (policies.length === 0) return "";
  return `${command === "insert" ? "may insert" : `${command} ${rows ?? "?"}`} (${policies.join(", ")})`;
}
