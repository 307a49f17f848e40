/** Formats an audit for a terminal: a summary and the findings; in full also everything examined. */

type Finding = { severity: string; rule: string; object: string; what: string; why: string; remedy: string };
type Exception = { rule: string; object: string; detail: string | null; reason: string };
type Role = { name: string; purpose: string; logs_in: boolean; settings: Record<string, string> };
type Policy = {
  table_name: string;
  policy: string;
  command: string;
  role: string;
  permissive: boolean;
  comment: string | null;
  rows_it_shows: string | null;
  rows_it_takes: string | null;
};
type DefinerFunction = { function: string; runs_as: string; executed_by: string[]; instead: string | null };
type Grant = {
  role: string;
  kind: string;
  object: string;
  privilege: string;
  columns: string[] | null;
  through: string;
};
type Exposure = {
  organisation_id: string;
  member_role: string | null;
  key_prefix: string | null;
  scope: string | null;
  key_state: string;
  table_name: string | null;
  command: string;
  rows: string | null;
  policies: string[];
};

export type Audit = {
  database: string;
  at: Date;
  findings: Finding[];
  exceptions?: Exception[];
  roles?: Role[];
  policies?: Policy[];
  definer_functions?: DefinerFunction[];
  grants?: Grant[];
  exposure?: Exposure[];
};

const width = 100;

export function auditReport(audit: Audit, isFull: boolean): string {
  const { roles, policies, definer_functions, grants, exceptions, exposure, findings } = audit;
  const sections = [
    [`Audit of database ${audit.database}, ${audit.at.toISOString()}`],
    summary(audit, isFull),
    section(`Findings: ${findings.length || "none, all invariants hold"}`, findings.flatMap(finding)),
    exposure && section("What the person reads and writes through each key", exposed(exposure)),
    ...(isFull ? examined() : []),
  ];
  return `${sections
    .filter((lines) => lines !== undefined)
    .flat()
    .join("\n")}\n`;

  function examined(): (string[] | undefined)[] {
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
}

/** Undefined for --findings. */
function summary(audit: Audit, isFull: boolean): string[] | undefined {
  const { roles, policies, definer_functions, grants, exceptions, findings } = audit;
  if (!roles || !policies || !definer_functions || !grants || !exceptions) return undefined;
  const bySeverity = [...Map.groupBy(findings, ({ severity }) => severity)].map(([of, some]) => `${some.length} ${of}`);
  return section("Summary", [
    ...beside("Findings:   ", bySeverity.join(", ") || "none"),
    ...beside(
      "Examined:   ",
      `${roles.length} roles, ${policies.length} policies, ${definer_functions.length} functions with their owner's rights, ` +
        `${grants.length} privileges`,
    ),
    ...beside("Exceptions: ", `${exceptions.length}, reviewed and accepted`),
    ...(isFull ? [] : ["--full prints everything examined."]),
  ]);
}

const section = (title: string, lines: string[]): string[] => ["", title, ...lines.map((line) => `  ${line}`)];

/** Rows grouped under headings. */
function byHeading<Row>(rows: Row[], heading: (row: Row) => string, line: (row: Row) => string[]): string[] {
  return [...Map.groupBy(rows, heading)].flatMap(([title, group]) => [
    title,
    ...group.flatMap(line).map((text) => `  ${text}`),
  ]);
}

/** Wraps text at the page width; the first line begins with `label`. */
function beside(label: string, text: string): string[] {
  const lines: string[] = [""];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && label.length + last.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines.map((line, index) => (index === 0 ? label : " ".repeat(label.length)) + line);
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

function exposed(rows: Exposure[]): string[] {
  const heading = (row: Exposure) =>
    `organisation ${row.organisation_id}, ${row.member_role ?? "no longer a member"}, key ${
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

const finding = ({ severity, object, what, why, remedy }: Finding): string[] => [
  severity.padEnd(10) + object,
  ...[what, why, `Remedy: ${remedy}`].flatMap((text) => beside(" ".repeat(10), text)),
];
