/** A Prometheus with the alerts of ops/, hurried so that a test sees them fire. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../src/database/embedded/port.ts";
import { readOps } from "./ops-files.ts";
import { eventually } from "./worker.ts";

export type Target = { job: string; installation: string; port: number; everySeconds?: number };

export type Prometheus = {
  /** Alerts that fired since the start, as "installation alert". */
  fired(): Promise<Set<string>>;
  /** Alerts that fire now. */
  firing(): Promise<Set<string>>;
  /** The labels of an alert that fires or fired. */
  labelsOf(alert: string): Promise<Record<string, string>[]>;
  /** The number of series with a value since the start. @throws Error with the message of Prometheus */
  seriesOf(expression: string): Promise<number>;
  /** Scrapes these targets from now on. */
  configure(targets: Target[]): void;
  stop(): Promise<void>;
};

/** Scrapes of `start` take a second while one of its processes is stopped. */
const scrapeSeconds = 3;

/** Faults that would need an hour, or a billion transactions. */
const lowered: [expression: string, hurried: string][] = [
  ["oldest_transaction_seconds) > 3600", "oldest_transaction_seconds) > 6"],
  ["snapshot_seconds) > 15", "snapshot_seconds) > 10"],
  ["transaction_id_age) > 1000000000", "transaction_id_age) > 10"],
];

/** Alerts fire at once, and a minute of a range is a scrape. promtool checks `for`, which Prometheus implements. */
function hurried(rules: string): string {
  const text = rules
    .replaceAll(/^( +for:) .*$/gm, "$1 0s")
    .replaceAll(/\[(\d+)m\]/g, (_, minutes) => `[${Number(minutes) * scrapeSeconds}s]`);
  return lowered.reduce((current, [from, to]) => {
    if (!current.includes(from)) throw new Error(`No alert has ${from}.`);
    return current.replace(from, to);
  }, text);
}

export async function startPrometheus(targets: Target[]): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), "botstead-prometheus-"));
  const url = `http://127.0.0.1:${await freePort()}`;
  writeFileSync(join(folder, "alerts.yml"), hurried(readOps("alerts.yml")));
  const settings = (scraped: Target[]) => ({
    global: { scrape_interval: `${scrapeSeconds}s`, scrape_timeout: `${scrapeSeconds}s`, evaluation_interval: "1s" },
    rule_files: ["alerts.yml"],
    scrape_configs: scraped.map(({ job, installation, port, everySeconds = scrapeSeconds }, index) => ({
      job_name: `${job}-${index}`,
      scrape_interval: `${everySeconds}s`,
      static_configs: [{ targets: [`127.0.0.1:${port}`], labels: { installation } }],
    })),
  });
  const write = (scraped: Target[]) => writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(settings(scraped))); // JSON is YAML
  write(targets);
  const child: ChildProcess = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=${new URL(url).host}`,
      "--log.level=error",
    ],
    { stdio: "ignore" },
  );
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`Prometheus ended with code ${child.exitCode}.`);
    return fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  });

  async function ask(path: string, parameters: Record<string, string>): Promise<Series[]> {
    const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const answer = (await response.json()) as { error?: string; data: { result: Series[] } };
    if (answer.error) throw new Error(`${answer.error}: ${parameters.query}`);
    return answer.data.result;
  }

  const firing = 'ALERTS{alertstate="firing"}';
  async function alerts(query: string) {
    const series = await ask("query", { query });
    return new Set(series.map(({ metric }) => `${metric.installation} ${metric.alertname}`));
  }

  return {
    fired: () => alerts(`max_over_time(${firing}[1h])`),
    firing: () => alerts(firing),
    labelsOf: async (alert) =>
      (await ask("query", { query: `max_over_time(ALERTS{alertname="${alert}"}[1h])` })).map(({ metric }) => metric),
    async seriesOf(query) {
      const now = Date.now() / 1000;
      const range = { start: String(now - 900), end: String(now), step: String(scrapeSeconds) };
      return (await ask("query_range", { query, ...range })).length;
    },
    configure(scraped) {
      write(scraped);
      child.kill("SIGHUP");
    },
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Series = { metric: Record<string, string> };
