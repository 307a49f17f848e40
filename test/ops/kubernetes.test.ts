/** The manifests of ops/kubernetes are valid and match the service. No cluster is used. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { stopTimeoutMs } from "../../src/api/server.ts";
import { readConfig } from "../../src/config.ts";
import { keyOf } from "../../src/secrets/master-key.ts";
import { parts, secretsOf } from "../../src/secrets/part-secrets.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import {
  bytes,
  files,
  kustomization,
  type Manifest,
  manifests,
  manifestsOf,
  named,
  selected,
  settings,
  workloads,
  wrongFields,
  wrongValues,
} from "../support/kubernetes.ts";
import { cli } from "../support/program.ts";

const here = apiOfFile();
const text = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
test("the kustomization applies every file that needs no operator", () => {
  expect([...kustomization().resources, "pod-monitor.yaml"].toSorted()).toEqual(files().toSorted());
  const { images } = kustomization();
  expect(images).toEqual([expect.objectContaining({ name: "botstead" })]);
  for (const { container } of workloads()) expect(container.image).toBe("botstead");
});

test.each(manifests().map((manifest) => [`${manifest.kind} ${manifest.name}`, manifest] as const))(
  "%s has the values that its schema requires",
  async (_name, manifest) => {
    expect(await wrongValues(manifest)).toEqual([]);
  },
);

test("the manifests have every required field and no unknown one", () => {
  expect(wrongFields(manifests())).toEqual([]);
});

/** Faults planted one at a time in valid manifests. */
const api = () =>
  structuredClone(manifests().find(({ name, kind }) => name === "botstead-api" && kind === "Deployment"));
const planted = (plant: (spec: Json) => void): Manifest => {
  const manifest = api() as Manifest;
  plant(manifest.body.spec);
  return manifest;
};

test("wrongValues finds a value of a wrong type and a port out of range", async () => {
  expect(await wrongValues(planted((spec) => (spec.minReadySeconds = "five")))).not.toEqual([]);
  const misprobed = planted((spec) => (spec.template.spec.containers[0].livenessProbe.periodSeconds = "often"));
  expect(await wrongValues(misprobed)).not.toEqual([]);
  expect(await wrongValues(planted((spec) => delete spec.selector))).not.toEqual([]);
  expect(
    await wrongValues(manifestsOf("x.yaml", "apiVersion: apps/v1\nkind: Deploy\nmetadata: {name: x}")[0] as Manifest),
  ).toEqual(["apps/v1 has no Deploy"]);
});

test("wrongFields finds an unknown field at any depth", () => {
  const wrong = wrongFields([
    planted((spec) => (spec.replica = 2)),
    planted((spec) => (spec.template.spec.containers[0].resources.limit = {})),
  ]);
  expect(wrong).toHaveLength(2);
  expect(wrong.join("\n")).toMatch(/'"?replica"?' does not exist[\s\S]*'"?limit"?' does not exist/);
});

test.each(workloads().map((workload) => [workload.name, workload] as const))(
  "%s gets only existing settings, and starts with them",
  (_name, { container }) => {
    const known = new Set([...text(".env.example").matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name));
    expect(container.envFrom).toEqual([{ configMapRef: { name: "botstead-settings" } }]);
    const given: Record<string, string> = { ...settings() };
    for (const { name, valueFrom } of container.env) {
      expect(valueFrom.secretKeyRef.key).toBe(name); // by reference, and by no value
      given[name] = secrets[name] ?? "";
    }
    expect(Object.keys(given).filter((name) => !known.has(name))).toEqual([]);
    const config = readConfig({ HOST: "0.0.0.0", DATA_DIR: "/data", ...given });
    expect([config.rateLimits, config.metrics]).toEqual(["shared", { host: "0.0.0.0", port: 9464 }]);
    const ports: Record<string, number> = {
      http: container.args[0] === "api" ? config.port : config.consolePort,
      metrics: 9464,
    };
    for (const { name, containerPort } of container.ports ?? []) expect(containerPort).toBe(ports[name]);
  },
);
const master = keyOf(Buffer.alloc(32).toString("base64"));
const secrets: Record<string, string> = {
  MASTER_KEY: Buffer.alloc(32).toString("base64"),
  DATABASE_URL: "postgres://postgres:secret@database.example:5432/botstead",
  SMTP_URL: "smtps://mail.example",
  ...Object.assign({}, ...parts.map((part) => secretsOf(part, master))),
};

test("each workload runs an existing command, and its probes use existing addresses", async () => {
  const { stdout } = spawnSync(process.execPath, [cli, "--help"], { encoding: "utf8" });
  for (const { container } of workloads()) {
    expect(container.args).toHaveLength(1);
    expect(stdout).toMatch(new RegExp(`^ {2}${container.args[0]}\\b`, "m"));
    for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"]) {
      const request = container[probe]?.httpGet;
      if (!request) continue;
      expect(container.ports.map(({ name }: { name: string }) => name)).toContain(request.port);
      if (container.args[0] === "api") expect((await fetch(here.api.url + request.path)).status).not.toBe(404);
    }
  }
});

test("memory limits are above the measured use", () => {
  const [, megabytes] =
    /API process, maximum under the loads above \| (\d+) MB/.exec(text("bench/notes/results.md")) ?? [];
  const measured = Number(megabytes) * 1_000_000;
  expect(measured).toBeGreaterThan(50_000_000);
  for (const { container } of workloads()) {
    expect(bytes(container.resources.limits.memory)).toBeGreaterThan(1.5 * measured);
    expect(bytes(container.resources.requests.memory)).toBeLessThan(bytes(container.resources.limits.memory));
  }
  const [, underSlowPeers = ""] =
    /^\| slow peers of .*\. Memory ([\d, ]+) MB\./m.exec(text("bench/notes/reliability-results.md")) ?? [];
  const grown = Math.max(...underSlowPeers.split(", ").map(Number)) * 1_000_000;
  expect(grown).toBeGreaterThan(measured);
  const { container } = workloads().find(({ name }) => name === "botstead-api") as { container: Json };
  expect(bytes(container.resources.limits.memory)).toBeGreaterThan(1.25 * grown);
  expect(() => bytes("512M")).toThrow("no quantity");
});

test("termination grace periods suffice, and match systemd's", () => {
  for (const { container, pod } of workloads().filter(({ kind }) => kind === "Deployment")) {
    const part = container.args[0];
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(text(`ops/systemd/botstead-${part}.service`)) ?? [];
    const before = container.lifecycle?.preStop.sleep.seconds ?? 0;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(seconds));
    if (part === "api") expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(before + stopTimeoutMs / 1000);
  }
});

test("selectors match pods, and their ports exist", () => {
  for (const { kind, name, body } of manifests()) {
    if (kind === "Deployment")
      expect(selected(body.spec.selector.matchLabels).map((found) => found.name)).toEqual([name]);
    if (kind === "PodDisruptionBudget")
      expect(selected(body.spec.selector.matchLabels).map((found) => found.name)).toEqual([name]);
    if (kind === "HorizontalPodAutoscaler") expect(named("Deployment", body.spec.scaleTargetRef.name)).toBeDefined();
    if (kind === "Service") {
      const [to, ...others] = selected(body.spec.selector);
      expect([to?.name, others]).toEqual([name, []]);
      for (const { targetPort } of body.spec.ports) {
        expect(to?.container.ports.map((port: { name: string }) => port.name)).toContain(targetPort);
      }
    }
  }
  const [rule] = named("Ingress", "botstead").spec.rules;
  const { service } = rule.http.paths[0].backend;
  expect(named("Service", service.name).spec.ports.map(({ name }: { name: string }) => name)).toContain(
    service.port.name,
  );
  expect(settings().BASE_URL).toBe(`https://${rule.host}`);
  for (const { port } of named("PodMonitor", "botstead").spec.podMetricsEndpoints) {
    for (const { container } of workloads().filter(({ kind }) => kind === "Deployment")) {
      expect(container.ports.map(({ name }: { name: string }) => name)).toContain(port);
    }
  }
});
