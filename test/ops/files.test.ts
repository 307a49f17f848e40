/** The files of ops/ are valid for Prometheus, Grafana and systemd. test/metrics checks their queries. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { ofEveryPart } from "../../src/processes/part-environment.ts";
import { testWith } from "../support/machine.ts";
import { alertExpressions, boardExpressions, boards, expressions, readOps, rules } from "../support/ops-files.ts";
import { cli } from "../support/program.ts";
import { readPromql } from "../support/promql.ts";

const units = new URL("../../ops/systemd/", import.meta.url);

test.each(expressions().map(({ where, expr }) => [where, expr]))("%s is an expression: %s", (_where, expr) => {
  expect(readPromql(expr).metrics).not.toEqual([]);
});

test("readPromql refuses an invalid expression", () => {
  expect(() => readPromql("sum by (part (up)")).toThrow(/not understood/);
  expect(readPromql('sum by (a) (rate(b{c="d", e=~"f.*"}[5m])) / g')).toEqual({
    metrics: [
      { name: "b", labels: { c: "d", e: "f.*" } },
      { name: "g", labels: {} },
    ],
    grouped: ["a"],
    kept: [["a"]],
  });
  expect(readPromql("max(a) + sum without (b) (c)").kept).toEqual([[], []]);
});

test("each alert has a unique name, a duration, a severity and a description", () => {
  const names = rules().map(({ alert }) => alert);
  expect(new Set(names).size).toBe(names.length);
  for (const rule of rules()) {
    expect(rule).toEqual({
      alert: expect.stringMatching(/^Botstead\w+$/),
      expr: expect.any(String),
      for: expect.stringMatching(/^\d+[smh]$/),
      labels: { severity: expect.stringMatching(/^(page|warn)$/) },
      annotations: {
        summary: expect.stringMatching(/\.$/),
        runbook_url: expect.stringMatching(/^docs\/runbooks\/[a-z]+\.md#[a-z]+$/),
      },
    });
  }
});

test("no alert compares a rate with 0, which would not fire without a series", () => {
  const neverMet = rules().filter(({ expr }) => /rate\([^)]*\)+ == 0/.test(expr));
  expect(neverMet.map(({ alert }) => alert)).toEqual([]);
});

test("each aggregation of an alert keeps the label installation, so that no installation hides another", () => {
  const dropping = alertExpressions().filter(({ expr }) =>
    readPromql(expr).kept.some((labels) => !labels.includes("installation")),
  );
  expect(dropping.map(({ where }) => where)).toEqual([]);
});

test("each metric of a board belongs to the chosen installation", () => {
  const selected = boardExpressions().flatMap(({ where, expr }) =>
    readPromql(expr).metrics.map(({ name, labels }) => ({ where, name, labels })),
  );
  expect(selected.length).toBeGreaterThan(60);
  expect(selected.filter(({ labels }) => labels.installation !== "$installation")).toEqual([]);
});

test.each(boards.map((board) => [board.file, board]))(
  "the panels of the board %s have unique ids, do not overlap, and have a query",
  (_file, board) => {
    const ids = board.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const panel of board.panels.filter(({ type }) => type !== "row"))
      expect(panel.targets?.length).toBeGreaterThan(0);
    const taken = new Set<string>();
    for (const { gridPos: at } of board.panels) {
      expect(at.x + at.w).toBeLessThanOrEqual(24);
      for (let x = at.x; x < at.x + at.w; x += 1)
        for (let y = at.y; y < at.y + at.h; y += 1) {
          expect(taken.has(`${x} ${y}`)).toBe(false);
          taken.add(`${x} ${y}`);
        }
    }
  },
);

test("an alert on a share has a minimum, so that small numbers do not fire it", () => {
  const shares = rules().filter(({ expr }) => expr.includes(") / sum by"));
  expect(shares.length).toBeGreaterThan(2);
  for (const { alert, expr } of shares) {
    const [share = ""] = expr.split(" / ");
    expect([alert, expr]).toEqual([alert, expect.stringContaining(`and ${share} > `)]);
  }
});

test("the Prometheus example names the existing rules", () => {
  const example = parse(readOps("prometheus.yml"));
  expect(example.rule_files).toEqual(["alerts.yml"]);
  expect(example.scrape_configs.map(({ job_name }: { job_name: string }) => job_name)).toEqual([
    "botstead",
    "botstead-parts",
  ]);
});

describe("systemd", () => {
  const testUnit = testWith("systemd");
  let folder: string;
  beforeAll(() => {
    // The units expect a program at this path.
    folder = mkdtempSync(join(tmpdir(), "botstead-units-"));
    const node = join(folder, "opt/botstead/node_modules/.bin/node");
    mkdirSync(join(node, ".."), { recursive: true });
    writeFileSync(node, "");
    chmodSync(node, 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  for (const file of readdirSync(units)) {
    testUnit(`verifies ${file} without a message, and rates its hardening as sufficient`, async () => {
      const unit = join(folder, file);
      const text = readFileSync(new URL(file, units), "utf8").replaceAll(
        "/opt/botstead/node_modules",
        `${folder}/opt/botstead/node_modules`,
      );
      writeFileSync(unit, text);
      const verified = spawnSync("systemd-analyze", ["verify", "--man=no", unit], { encoding: "utf8" });
      expect([file, verified.stderr, verified.status]).toEqual([file, "", 0]);
      const exposure = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=25", unit], {
        encoding: "utf8",
      });
      expect([file, exposure.status]).toEqual([file, 0]); // 2.5 of 10 at most
    });
  }
});

test("units and image of the parts have the memory pools of glibc that start gives its parts", () => {
  const setting = `MALLOC_ARENA_MAX=${ofEveryPart.MALLOC_ARENA_MAX}`;
  const files = ["api", "worker", "console"].map((part) => new URL(`botstead-${part}.service`, units));
  for (const file of [...files, new URL("../../Dockerfile", units)]) {
    expect([file.pathname, readFileSync(file, "utf8")]).toEqual([file.pathname, expect.stringContaining(setting)]);
  }
});

test("units and image of the API and the worker give Node the options of npm start", () => {
  const words = readFileSync(new URL("../../package.json", import.meta.url), "utf8").match(/--[\w-]+=\d+/g) ?? [];
  expect(words).toHaveLength(2);
  const files = ["botstead", "botstead-api", "botstead-worker"].map((part) => new URL(`${part}.service`, units));
  for (const file of [...files, new URL("../../Dockerfile", units)]) {
    const [command = ""] = readFileSync(file, "utf8").match(/^(ENTRYPOINT|ExecStart).*$/m) ?? [];
    const given = command.match(/--[\w-]+-(?:size|percent)=\d+/g);
    expect([file.pathname, given]).toEqual([file.pathname, words]);
  }
});

test("a unit runs an existing command", () => {
  const listed = spawnSync(process.execPath, [cli, "--help"], { encoding: "utf8" });
  for (const file of readdirSync(units)) {
    const [, command = ""] =
      readFileSync(new URL(file, units), "utf8").match(/^ExecStart=.* src\/botstead\.js (\w+)$/m) ?? [];
    expect(listed.stdout).toMatch(new RegExp(`^ {2}${command}\\b`, "m"));
  }
});
