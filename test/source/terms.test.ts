/** Each former term of the project is refused in names, in prose or in both (tools/prose/terms.ts). */
import { installPackages } from "../../tools/packages.ts";
import { findTerms } from "../../tools/prose/find-terms.ts";
import { readSql } from "../../tools/prose/sql.ts";
import { inProject } from "../support/doc-blocks.ts";

installPackages(inProject("tools/typescript"));
const { readTypeScript } = await import("../../tools/prose/typescript.ts");

/** Former names, by a file in which each would be wrong. */
const names: Record<string, string> = {
  "src/database/pools.ts": `openLanes patientPool patienceMs RetractableClient heldConnection held drawers troubles Asked
    asked Admission Handled handled politely giveBackMemory mostRuns toStranger ceiling allowance lamp todo matter trail
    sweep ladder rung ledger visit claim foundOrganisation foundBy putAside setAside keptAnswer remember recall tell told
    signOfLife beat beginAct auditHeads house take`,
  "src/runner/executor.ts": "leave hands beats takeBack",
  "src/audit/log.ts": "cut cuts draft drafts heads",
  "src/console/issues.ts": "Trouble acts cards",
  "test/support/fixtures.ts": "needles haystack belongs walls careful circumstances stage scene world",
  "sql/jobs/deliveries.sql": `jobs.attend jobs.hold_pool jobs.free_dead_pools jobs.take_words jobs.put_aside jobs.sweep
    app.delivery_ladder api.recall api.remember api.found_organisation search.words times.ring_day times.empty_day
    app.audit_heads app.audit_cuts app.audit_drafts policies.spare_outsiders jobs.forgive jobs.let_trail_wait jobs.tell
    operator.begin_act app.claims search.holding`,
  "sql/caller/authenticate.sql": "caller.take caller.spend caller.be_nobody",
  "sql/runner/lease_run.sql": "runner.recall runner.beat runner.leave",
};

const sentences = `Half within 3 ms. | 95 % within 5 ms. | The slowest hundredth. | Bringing the tables up to date. | all is well
  | The lane is free. | A claim of the bot. | It visits the endpoint. | It attends to the endpoint. | The ladder. | The rung.
  | The ceiling is ten. | The allowance is ten. | It gives back a token. | It was told of it. | The house. | The world.
  | The trail of changes. | An act of the operator. | A trouble for operators. | The matter is open. | A lamp. | A todo.
  | A kept answer. | The sweep. | A sign of life. | The patience of the client. | A drawer. | Each wall holds. | The ledger.
  | A needle. | A haystack. | The scene. | The circumstances. | The page Trail. | The tab Now.`;

const refused = (file: string, fragments: Parameters<typeof findTerms>[1]) =>
  findTerms(file, fragments).some(({ level }) => level === "error");

test.each(Object.entries(names))("former names are refused in %s", (file, list) => {
  const read = (name: string) => (file.endsWith(".sql") ? readSql(`select ${name}();`) : readTypeScript(`f(${name});`));
  expect(list.split(/\s+/).filter((name) => !refused(file, read(name)))).toEqual([]);
  expect(refused(file, [])).toBe(false);
});

test.each([
  ["comments", (text: string) => `// ${text}`],
  ["test titles", (text: string) => `test("${text}", () => {});`],
])("former terms are refused in %s", (_where, code) => {
  const texts = sentences.split("|").map((text) => text.trim());
  expect(texts.filter((text) => !refused("src/api/server.ts", readTypeScript(code(text))))).toEqual([]);
});

test("a former term is refused as the name of a file", () => {
  expect(refused("src/database/lanes.ts", [])).toBe(true);
});

test("the changelog may name former terms, and repeats its nouns", () => {
  const found = (text: string) => findTerms("CHANGELOG.md", [{ kind: "prose", line: 1, text }]);
  expect(found("The ladder is now a retry schedule.")).toEqual([]);
  expect(found("The limit is that of the key.")).toHaveLength(1);
});
