/**
 * The prose check (tools/prose) as a program: each kind of fault in a file of its own, and files without faults.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { installPackages } from "../../tools/packages.ts";
import { inProject } from "../support/doc-blocks.ts";

for (const tool of ["tools/prose", "tools/typescript"]) installPackages(inProject(tool));
const program = inProject("tools/prose/main.ts");
const folder = mkdtempSync(join(tmpdir(), "prose-"));
afterAll(() => rmSync(folder, { recursive: true }));

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");

/** Files with faults, and the findings expected of each: line and start of the message. */
const faulty: Record<string, [content: string, findings: string[]]> = {
  "long-sentence.md": [
    `# Title\n\n- Short.\n- ${words(36)}.\n`,
    ["1: average sentence of 18.5 words", "4: sentence of 36 words"],
  ],
  "long-average.md": [`Few words.\n\n${words(34)}.\n\n${words(34)}.\n`, ["1: average sentence of 23.3 words"]],
  "long-cell.md": [`| a | b |\n|---|---|\n| c | ${words(40)} |\n`, ["3: sentence of 40 words"]],
  "term.md": ["One.\n\nThe endpoint, and\nwhoever owns it, climbs a ladder.\n", ['4: "whoever"', '4: "ladder"']],
  "translation.md": [
    "Nobody goes on anew, whatever it is told.\n\nThe row of which the id is taken from a list became of it.\n",
    [
      '1: "whatever"',
      '1: "anew"',
      '1: "Nobody"',
      '1: "told"',
      '1: "goes on"',
      '3: "became of"',
      '3: "is taken from"',
      '3: "of which"',
    ],
  ],
  "nouns.md": [
    "The limit is that of the key.\n\nThose of\nkeys apply to another one.\n\nThe ones that count, at the same one. A new one counts.\n",
    ['1: "that of"', '3: "Those of"', '4: "another one"', '6: "the same one"', '6: "The ones"', '6: "A new one"'],
  ],
  "form.tsx": [
    "{/* The ladder. */}\nexport const a = <p>It's a rung</p>;\n// The lane\n// of the form.\n",
    ['1: "ladder"', '3: "lane"'],
  ],
  "client.py": ['def call():\n    """\n    Calls.\n\n    :param limit: that of the key\n    """\n', ['5: "that of"']],
  "semicolons.md": [
    "One thing; a second.\n\nOne thing; a second; a third. One (a; b; c); `d;`.\n\n2026-11-26; medians; 32 connections.\n",
    ["3: sentence with 2 semicolons"],
  ],
  "semicolons.ts": ["// One thing; a second;\n// a third.\nexport const a = 1;\n", ["1: sentence with 2 semicolons"]],
  "name-in-code.md": [
    "Call `jobs.takeWords` or\n\n```sql\nselect jobs.take_words();\n```\n",
    ['1: "takeWords"', '4: "take_words"'],
  ],
  "citation.ts": [
    `// The order of Part 3.\nconst a = 1; // see docs/operating.md, "Upgrades"\n`,
    ['1: "Part 3"', '2: "operating.md, "Upgrades'],
  ],
  "phrase-over-lines.ts": ["/**\n * Returns the key of who\n * asks.\n */\nexport const key = 1;\n", ['2: "who asks"']],
  "long-comment.ts": [`const a = 1;\n// ${words(20)}\n// ${words(16)}.\n`, ["2: sentence of 36 words"]],
  "separate-comments.ts": [`let a = 1; // ${words(20)}\na = 2; // ${words(20)}\n`, []],
  "comment-after-code.ts": [
    `const a = /\`[/*]/; // the lane\nconst b = \`\${a} // a lane\`;\n`,
    ['1: "lane"', '2: "lane"'],
  ],
  "nested-template.ts": [`const a = \`x \${[1].map((b) => \`\${b}\`)} y\`;\n/* a sweep */\n`, ['2: "sweep"']],
  "title.test.ts": [`test.each([(1)])("${words(36)}", () => {});\n`, ["1: sentence of 36 words"]],
  "title-of-wrapper.test.ts": [
    `const testHere = testWith("haproxy");\ntestHere("${words(36)}", async () => {});\ntestWith("a", "b")(\n  "${words(37)}",\n  () => {},\n);\n`,
    ["2: sentence of 36 words", "4: sentence of 37 words"],
  ],
  "title-term.test.ts": ['describe("endpoints", () => {\n  it("is visited", () => {});\n});\n', ['2: "visited"']],
  "name.ts": ["export const openLanes = 1;\nexport const mostRuns = 2;\n", ['1: "openLanes"', '2: "mostRuns"']],
  "haystack-file.ts": ["export const a = 1;\n", ['1: "haystack-file.ts"']],
  "comment.sql": ["select 1; -- the ladder\n/*\n * A rung.\n */\n", ['1: "ladder"', '3: "rung"']],
  "string.sql": ["select '-- no comment', 1 /* a trail */;\n", ['1: "trail"']],
  "comment-on.sql": [`comment on table app.runs is\n  '${words(36)}';\n`, ["2: sentence of 36 words"]],
  "body.sql": [
    "create function jobs.sweep() returns void as $$\nbegin\n  -- as a patient one does\n  perform jobs.attend('it''s');\nend\n$$;\n",
    ['1: "sweep"', '3: "patient"', '4: "attend"'],
  ],
  "openapi.json": [
    `{\n  "example": { "summary": "a ladder" },\n  "summary": "Clear",\n  "description": "Short.\\n\\n- A ladder\\n  to climb.\\n- ${words(36)}."\n}\n`,
    ["4: sentence of 36 words", '4: "ladder"'],
  ],
  "settings.yml": ["retries: 3 # of the ladder\n", ['1: "ladder"']],
};

const clean: Record<string, string> = {
  "clean.md": `# Deliveries\n\nA worker leases deliveries. \`${words(60)}\` is one word.\n\n| a | b |\n|---|---|\n| ${words(20)}. | It retries. |\n`,
  "clean.ts": `/**\n * Returns the lease of a delivery.\n *\n * @param id ${words(20)}\n * @returns ${words(20)}\n */\nexport const leaseOf = (id: string) => id + "that of"; // outside the firewall\ntest("leaseOf returns the lease", () => {});\n`,
  "clean.sql":
    "-- Leases due deliveries.\n--! Previous: whoever\nselect jobs.lease_deliveries('a', $1);\ncomment on table app.runs is 'Runs of bots.';\n",
};

function write(name: string, content: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

function check(...options: string[]): { status: number | null; lines: string[] } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...options], { encoding: "utf8" });
  expect(stderr).toBe("");
  return { status, lines: stdout.trimEnd().split("\n") };
}

test("the prose check names the line of each fault and exits with 1", () => {
  for (const [name, [content]] of Object.entries(faulty)) write(join("faulty", name), content);
  const { status, lines } = check(join(folder, "faulty"));
  const found = Object.fromEntries(
    Object.entries(faulty).map(([name, [, expected]]) => {
      const prefix = `${join(folder, "faulty", name)}:`;
      const findings = lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length));
      return [name, findings.map((finding, index) => finding.slice(0, expected[index]?.length))];
    }),
  );
  expect(found).toEqual(Object.fromEntries(Object.entries(faulty).map(([name, [, expected]]) => [name, expected])));
  const count = Object.values(faulty).flatMap(([, expected]) => expected).length;
  expect(lines.at(-1)).toBe(`${count} errors in ${Object.keys(faulty).length} files`);
  expect(status).toBe(1);
});

test("the prose check accepts clean files and exits with 0", () => {
  for (const [name, content] of Object.entries(clean)) write(join("clean", name), content);
  const { status, lines } = check(join(folder, "clean"));
  expect(lines).toEqual(["0 errors in 3 files"]);
  expect(status).toBe(0);
});

test("--warnings adds passive voice and ambiguous words, which are no errors", () => {
  const file = write("passive.md", "The delivery was retried by the worker.\n\nA stranger is there.\n");
  expect(check(file).lines).toEqual(["0 errors in 1 files"]);
  const { status, lines } = check("--warnings", file);
  expect(lines).toContain(`${file}:1: warning: "was retried" may be passive voice`);
  expect(lines.filter((line) => line.startsWith(`${file}:3: warning: "stranger"`))).toHaveLength(1);
  expect(status).toBe(0);
});

test("--count-by-file prints the number of findings of each file", () => {
  const file = write("counted.ts", "// a ladder\n// a rung, a lane\n");
  expect(check("--count-by-file", file).lines).toEqual([`     3 ${file}`, "3 errors in 1 files"]);
});
