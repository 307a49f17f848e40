/** Parses /metrics with an independent library. */
import parse from "parse-prometheus-text-format";

export type Sample = { name: string; labels: Record<string, string>; value: number };

export type Scrape = {
  text: string;
  /** Type and help, by name. */
  families: Map<string, { type: string; help: string }>;
  samples: Sample[];
  /** Sum of the samples of this name with these labels; undefined without samples. */
  value(name: string, labels?: Record<string, string>): number | undefined;
};

type Parsed = { name: string; metrics: { value: string; labels?: Record<string, string> }[] };

export function readMetrics(text: string): Scrape {
  const families = new Map<string, { type: string; help: string }>();
  for (const [, name = "", help = ""] of text.matchAll(/^# HELP (\S+) (.*)$/gm)) families.set(name, { help, type: "" });
  for (const [, name = "", type = ""] of text.matchAll(/^# TYPE (\S+) (.*)$/gm)) {
    families.set(name, { help: "", ...families.get(name), type });
  }
  // The library merges histograms with different labels. Without their type it parses each line.
  const untyped = text.replaceAll(/^# (TYPE (\S+) (histogram|summary)|HELP .*)\n/gm, "");
  const samples = (parse(untyped) as Parsed[]).flatMap(({ name, metrics }) =>
    metrics.map(({ labels = {}, value }): Sample => ({ name, labels, value: Number(value) })),
  );
  return {
    text,
    families,
    samples,
    value(name, labels = {}) {
      const found = samples.filter(
        (sample) =>
          sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
      );
      return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

export async function scrape(url: string, headers: Record<string, string> = {}): Promise<Scrape> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return readMetrics(await response.text());
}

/** Violations that `promtool check metrics` or Prometheus would report; empty if valid. */
export function flawsOf(text: string): string[] {
  const flaws: string[] = [];
  const seen = new Set<string>();
  const done = new Set<string>();
  let family = "";
  let type = "";
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const header = line.match(/^# (HELP|TYPE) (\S+) ?(.*)$/);
    if (header) {
      const [, kind = "", name = "", rest = ""] = header;
      if (name !== family) {
        if (done.has(name)) flaws.push(`${name} comes in two places`);
        done.add(name);
        family = name;
      }
      if (kind === "TYPE") type = rest;
      if (kind === "HELP" && rest === "") flaws.push(`${name} has no help`);
      if (kind === "TYPE" && rest === "counter" && !name.endsWith("_total"))
        flaws.push(`${name} is a counter, and does not say so`);
      if (kind === "TYPE" && rest !== "counter" && /^botstead_.*_total$/.test(name))
        flaws.push(`${name} is no counter`);
      continue;
    }
    const sample = line.match(/^([a-zA-Z_:][\w:]*)(\{.*\})? (-?[\d.e+-]+|NaN|[+-]?Inf)$/);
    if (!sample) {
      flaws.push(`not understood: ${line}`);
      continue;
    }
    const [, name = "", labels = ""] = sample;
    const of =
      type === "histogram"
        ? name.replace(/_(bucket|sum|count)$/, "")
        : type === "summary"
          ? name.replace(/_(sum|count)$/, "")
          : name;
    if (of !== family) flaws.push(`${name} stands below ${family}`);
    const series =
      name +
      [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
        .map(([pair]) => pair)
        .sort()
        .join(",");
    if (seen.has(series)) flaws.push(`twice: ${line}`);
    seen.add(series);
  }
  return [...flaws, ...flawsOfHistograms(readMetrics(text))];
}

function flawsOfHistograms({ families, samples }: Scrape): string[] {
  const flaws: string[] = [];
  for (const [name, { type }] of families) {
    if (type !== "histogram") continue;
    const buckets = samples.filter((sample) => sample.name === `${name}_bucket`);
    const counts = samples.filter((sample) => sample.name === `${name}_count`);
    for (const { labels, value } of counts) {
      const own = buckets.filter((bucket) =>
        Object.entries(labels).every(([label, of]) => bucket.labels[label] === of),
      );
      const ordered = own.toSorted((one, other) => edge(one) - edge(other));
      if (edge(ordered.at(-1)) !== Number.POSITIVE_INFINITY) flaws.push(`${name} has no bucket for the rest`);
      if (ordered.at(-1)?.value !== value) flaws.push(`${name} counts other than its buckets`);
      if (ordered.some((bucket, index) => index > 0 && bucket.value < (ordered[index - 1]?.value ?? 0)))
        flaws.push(`${name} is not cumulative`);
    }
  }
  return flaws;
}

const edge = (bucket: Sample | undefined): number =>
  bucket?.labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(bucket?.labels.le);
