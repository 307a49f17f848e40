/** promtool evaluates each alert on written series: it fires after its duration, and not before or at its limit. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testWith } from "../support/machine.ts";
import { readOps, rules } from "../support/ops-files.ts";
import { alertCases, type Series } from "./alert-cases.ts";

const testHere = testWith("prometheus"); // the package of promtool

const minutesOf: Record<string, number> = { s: 1 / 60, m: 1, h: 60 };
/** Whole ones, because the rules are evaluated each minute. */
const minutes = (duration: string) => Math.ceil(Number.parseInt(duration, 10) * (minutesOf[duration.slice(-1)] ?? 1));

const seriesOf = (installation: string, series: Series) =>
  Object.entries(series).map(([name, values]) => ({
    series: name.includes("{")
      ? name.replace("{", `{installation="${installation}", `)
      : `${name}{installation="${installation}"}`,
    values,
  }));

function casesOf({ alert, for: duration }: { alert: string; for: string }) {
  const { fires, quiet, after = 0 } = alertCases[alert] ?? { fires: {}, quiet: [] };
  const expr = `count by (installation) (ALERTS{alertname="${alert}", alertstate="firing"})`;
  const firesAt = after + minutes(duration);
  return {
    name: alert,
    interval: "1m",
    input_series: [
      ...seriesOf("faulty", fires),
      ...quiet.flatMap((series, index) => seriesOf(`quiet-${index}`, series)),
    ],
    promql_expr_test: [
      { expr, eval_time: `${firesAt - 1}m`, exp_samples: [] },
      { expr, eval_time: `${firesAt}m`, exp_samples: [{ labels: '{installation="faulty"}', value: 1 }] },
      { expr, eval_time: `${firesAt + 5}m`, exp_samples: [{ labels: '{installation="faulty"}', value: 1 }] },
    ],
  };
}

/** What promtool says about these rules. */
function check(alerts: string, checked: { alert: string; for: string }[]) {
  const folder = mkdtempSync(join(tmpdir(), "botstead-alerts-"));
  writeFileSync(join(folder, "alerts.yml"), alerts);
  const tests = { rule_files: ["alerts.yml"], evaluation_interval: "1m", tests: checked.map(casesOf) };
  writeFileSync(join(folder, "tests.yml"), JSON.stringify(tests)); // JSON is YAML
  const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", join(folder, "tests.yml")], {
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  return { status, said: stdout + stderr };
}

test("each alert has a case", () => {
  expect(Object.keys(alertCases).toSorted()).toEqual(
    rules()
      .map(({ alert }) => alert)
      .toSorted(),
  );
});

testHere("each alert fires for the faulty installation after its duration, and for no other", async () => {
  expect(check(readOps("alerts.yml"), rules())).toEqual({ status: 0, said: expect.stringContaining("SUCCESS") });
});

testHere("promtool reports an alert with another limit or duration", async () => {
  for (const [alert, from, to] of [
    ["BotsteadRunsWait", "_oldest_queued_seconds) > 300", "_oldest_queued_seconds) > 299"],
    ["BotsteadRunsWait", "_oldest_queued_seconds) > 300", "_oldest_queued_seconds) > 301"],
    ["BotsteadAuditMissing", "for: 30m", "for: 31m"],
    ["BotsteadAuditMissing", "for: 30m", "for: 29m"],
  ] as const) {
    const checked = rules().filter((rule) => rule.alert === alert);
    expect(check(readOps("alerts.yml").replace(from, to), checked)).toMatchObject({ status: 1 });
  }
});
