/**
 * Test files run beside each other on one cluster. A file that commits a change of roles, tablespaces or settings of the
 * server starts a cluster of its own.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../", import.meta.url));

const statements = [
  /\b(create|drop) (role|user|group|tablespace) (?!mapping)[\w"$]/i,
  /\balter (role|user|group) (?!mapping)[\w"$](?!.*\bin database\b)/i,
  /\b(alter system|reassign owned|grant set on parameter|alter tablespace)\b/i,
  /\bcomment on (role|tablespace)\b/i,
  /\bgrant [\w$"{}]+ to [\w$"{}]+/i, // a membership
  /\brevoke [\w$"{}]+ from [\w$"{}]+/i,
  /\bmakeExecutorLogin\(|"executor", "mint"/,
  /\bstartStandbyOfFile\(\)/, // a replication slot
];

/** Each starts a cluster, or gives a file the parts of an installation with its own. */
const ownCluster =
  /\b(startCluster|makeInstallation|openFleet|observe|startPatroni|twoCells|cellsOfFile)\(|from ".*support\/(embedded|installation)\.ts"/;

/** Files that change nothing of the shared cluster, by the start of their path. */
const harmless: Record<string, string> = {
  "audit/faults/": "audit/findings.test.ts plants them, and rolls back",
  "audit/findings.test.ts": "rolls back each transaction",
  "audit/answers.test.ts": "rolls back the transaction",
  "database/foreign-locks.test.ts": "its role has a name of its own, and no membership",
  "machines/standby.ts": "defines startStandbyOfFile",
  "hostile/captured/": "captured.test.ts starts a cluster",
  "hostile/canary-ways.ts": "changes the installation of canary-fixture.ts",
  "support/cluster.ts": "starts the clusters",
  "source/shared-cluster.test.ts": "lists the statements",
};

/** The lines with such a statement, as `line: text`, of a file without a cluster of its own. */
function changes(text: string): string[] {
  if (ownCluster.test(text)) return [];
  return text
    .split("\n")
    .flatMap((line, at) => (statements.some((pattern) => pattern.test(line)) ? [`${at + 1}: ${line.trim()}`] : []));
}

test("a test file that changes roles or settings of the server has a cluster of its own", () => {
  const found = globSync("**/*.ts", { cwd: folder })
    .filter((file) => !Object.keys(harmless).some((start) => file.startsWith(start)))
    .flatMap((file) => changes(readFileSync(join(folder, file), "utf8")).map((line) => `${file}:${line}`));
  expect(found).toEqual([]);
});

test.each([
  "create role stranger login",
  "alter role auditor set session_preload_libraries = 'missing'",
  "alter role all reset all",
  "alter system set fsync = off",
  "grant owner to server",
  "revoke operator from cli",
  "drop tablespace small",
  "startStandbyOfFile()",
])("changes finds %s, unless the file starts a cluster", (statement) => {
  const line = `await db.sql("${statement}");`;
  expect(changes(line)).toEqual([`1: ${line}`]);
  expect(changes(`await startCluster();\n${line}`)).toEqual([]);
});

test.each([
  "alter role server in database test set jit = on",
  "grant select on app.people to worker",
  "create user mapping for public server spy",
])("changes leaves out %s, which belongs to one database", (statement) => {
  expect(changes(`await db.sql("${statement}");`)).toEqual([]);
});
