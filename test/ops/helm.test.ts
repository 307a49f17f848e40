/** The Helm chart of ops/kubernetes, rendered by Helm: without values it is what kustomize applies, and values change it. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { hasPrograms, programs } from "../../tools/helm/programs.ts";
import type { Json } from "../support/api.ts";
import { docBlocks, inProject, likeTheRepository, runBlock } from "../support/doc-blocks.ts";
import { type Manifest, manifestsOf, wrongFields, wrongValues } from "../support/kubernetes.ts";
import { areThere, testWith, unlessMissing } from "../support/machine.ts";

const chart = inProject("ops/kubernetes");
const folder = mkdtempSync(join(tmpdir(), "botstead-helm-"));
afterAll(() => rmSync(folder, { recursive: true }));

const withHelm = hasPrograms
  ? testWith("unzip", "bash")
  : unlessMissing("Helm for this system", "a machine with Linux on x64");
const { helm, kubectl } = hasPrograms && areThere("unzip") ? programs() : { helm: "", kubectl: "" };

const template = (values: Json = {}, ...options: string[]) => {
  const file = join(folder, "values.yaml");
  writeFileSync(file, stringify(values));
  return spawnSync(helm, ["template", "botstead", chart, "--namespace", "here", "--values", file, ...options], {
    encoding: "utf8",
    env: { HOME: folder },
  });
};

function rendered(values: Json = {}, ...options: string[]): Manifest[] {
  const { status, stdout, stderr } = template(values, ...options);
  if (status !== 0) throw new Error(stderr);
  return manifestsOf("chart", stdout);
}

const find = (manifests: Manifest[], kind: string, name: string): Json =>
  manifests.find((each) => each.kind === kind && each.name === name)?.body;

/** By kind and name, without what Helm and kustomize do differently on purpose. */
function comparable(manifests: Manifest[]): Record<string, Json> {
  const kept = manifests.filter(({ kind }) => kind !== "Namespace");
  return Object.fromEntries(
    kept.map(({ kind, name, body }) => {
      delete body.metadata.namespace;
      if (kind === "Deployment") delete body.spec.template.metadata.annotations;
      const plain = kind === "Job" ? name.replace(/-1$/, "") : name;
      body.metadata.name = plain;
      return [`${kind} ${plain}`, body];
    }),
  );
}

withHelm("helm lint finds nothing, and chart, image and package have one version", async () => {
  const { status, stdout } = spawnSync(helm, ["lint", "--strict", chart], { encoding: "utf8", env: { HOME: folder } });
  expect([status, stdout]).toEqual([0, expect.stringContaining("0 chart(s) failed")]);
  const { version } = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
  const { version: ofChart, appVersion } = parse(readFileSync(join(chart, "Chart.yaml"), "utf8"));
  const { images } = parse(readFileSync(join(chart, "kustomization.yaml"), "utf8"));
  expect([ofChart, appVersion, images[0].newTag]).toEqual([version, version, version]);
});

withHelm("without values the chart is what kustomize renders", async () => {
  const kustomized = execFileSync(kubectl, ["kustomize", chart], { encoding: "utf8" });
  expect(comparable(rendered())).toEqual(comparable(manifestsOf("kustomize", kustomized)));
});

const values = {
  image: { repository: "registry.example.net/b", tag: "1.2.3" },
  imagePullSecrets: [{ name: "registry" }],
  settings: { DATABASE_URL: "postgres://db.example.net:6432/b", LOG_LEVEL: "warn" },
  ingress: { host: "api.example.net", className: "other", tlsSecret: "tls", annotations: { "example.net/a": "b" } },
  api: { minReplicas: 3, maxReplicas: 12, resources: { limits: { memory: "1Gi" } } },
  worker: { replicas: 5 },
  network: {
    databaseCidr: "10.1.2.3/32",
    databasePort: 6432,
    ingressNamespace: "edge",
    monitoringNamespace: "metrics",
  },
  podMonitor: { enabled: true },
  nodeSelector: { "kubernetes.io/arch": "amd64" },
  tolerations: [{ key: "a", operator: "Exists" }],
};

withHelm("values change the manifests, which stay valid by the schemas of Kubernetes", async () => {
  const manifests = rendered(values);
  for (const manifest of manifests) expect(await wrongValues(manifest)).toEqual([]);
  expect(wrongFields(manifests)).toEqual([]);
  expect(find(manifests, "ConfigMap", "botstead-settings").data).toMatchObject({
    BASE_URL: "https://api.example.net",
    RATE_LIMITS: "shared",
    ...values.settings,
  });
  const { spec: api } = find(manifests, "Deployment", "botstead-api");
  expect(api.template.spec).toMatchObject({
    ...{ tolerations: values.tolerations, nodeSelector: values.nodeSelector },
  });
  expect(api.template.spec.imagePullSecrets).toEqual(values.imagePullSecrets);
  expect(api.template.spec.containers[0]).toMatchObject({
    image: "registry.example.net/b:1.2.3",
    resources: { requests: { cpu: "500m" }, limits: { memory: "1Gi" } },
  });
  expect(find(manifests, "Deployment", "botstead-worker").spec.replicas).toBe(5);
  expect(find(manifests, "HorizontalPodAutoscaler", "botstead-api").spec).toMatchObject({
    minReplicas: 3,
    maxReplicas: 12,
  });
  const { spec, metadata } = find(manifests, "Ingress", "botstead");
  expect([spec.ingressClassName, spec.tls, spec.rules[0].host]).toEqual([
    "other",
    [{ hosts: ["api.example.net"], secretName: "tls" }],
    "api.example.net",
  ]);
  expect(Object.keys(metadata.annotations)).toContain("example.net/a");
  const policies = JSON.stringify(manifests.filter(({ kind }) => kind === "NetworkPolicy"));
  for (const text of ['"10.1.2.3/32"', '"port":6432', '"edge"', '"metrics"']) expect(policies).toContain(text);
  expect(policies).not.toMatch(/ingress-nginx|"monitoring"/);
  expect(find(manifests, "PodMonitor", "botstead").metadata.namespace).toBe("here");
});

withHelm("parts can be left out, and pods restart when settings change", async () => {
  const off = { enabled: false };
  const kinds = rendered({ ingress: off, network: off, console: off }).map(({ kind, name }) => `${kind} ${name}`);
  expect(kinds.filter((each) => /^Ingress|NetworkPolicy|console/.test(each))).toEqual([]);
  const checksum = (settings: Json) =>
    find(rendered({ settings }), "Deployment", "botstead-api").spec.template.metadata.annotations["checksum/settings"];
  expect(checksum({ LOG_LEVEL: "warn" })).not.toBe(checksum({}));
  const upgraded = rendered({}, "--is-upgrade").filter(({ kind }) => kind === "Job");
  expect(upgraded.map(({ name }) => name)).toEqual(["botstead-migrate-1"]); // with the number of the revision
});

withHelm("an unknown value and one of a wrong type are refused", async () => {
  expect(template({ ingres: { host: "x" } }).stderr).toContain("additional properties 'ingres' not allowed");
  expect(template({ worker: { replicas: "two" } }).stderr).toContain("/worker/replicas");
});

withHelm(
  "the commands of docs/deploying.md make valid Secrets, and name a chart and values that Helm renders",
  async () => {
    likeTheRepository(folder);
    const blocks = docBlocks().filter(({ page }) => page === "docs/deploying.md");
    const printed = (first: string) => blocks.find(({ text }) => text.startsWith(first))?.text ?? "";
    // No cluster is there: kubectl and helm only print what they would send.
    const dry = `kubectl() {
      case "$*" in
        *create*) '${kubectl}' "$@" --dry-run=client --output=yaml; echo --- ;;
        *kustomize*) '${kubectl}' kustomize ops/kubernetes ;;
      esac
    }
    helm() { '${helm}' template botstead ops/kubernetes "\${@:5}"; }`;
    const shell = { cwd: folder, env: { KUBECONFIG: "/dev/null" } };
    const { stdout } = await runBlock(`${dry}\n${printed("kubectl create namespace")}`, shell);
    const secrets = manifestsOf("made", stdout.replace(/---\n$/, "")).filter(({ kind }) => kind === "Secret");
    for (const secret of secrets) expect(await wrongValues(secret)).toEqual([]);
    const keys = Object.fromEntries(secrets.map(({ name, body }) => [name, Object.keys(body.data)]));
    expect(Object.keys(keys)).toEqual(
      ["api", "worker", "console", "cli", "administrator"].map((part) => `botstead-${part}`),
    );
    for (const { body } of rendered().filter(({ kind }) => kind === "Deployment" || kind === "Job")) {
      for (const { valueFrom } of body.spec.template.spec.containers[0].env) {
        expect(keys[valueFrom.secretKeyRef.name]).toContain(valueFrom.secretKeyRef.key);
      }
    }
    const deleted = `kubectl() { case "$*" in *delete*) echo "deleted: $5" ;; *) '${kubectl}' kustomize "\${@: -1}" ;; esac; }`;
    const upgraded = await runBlock(`${deleted}\n${printed("kubectl --namespace botstead delete")}`, shell);
    const [, job] = /^deleted: (\S+)\n/.exec(upgraded.stdout) ?? [];
    const jobs = manifestsOf("kustomize", upgraded.stdout.replace(/^.*\n/, "")).filter(({ kind }) => kind === "Job");
    expect(jobs.map(({ name }) => name)).toEqual([job]);
    const installed = await runBlock(`${dry}\n${printed("helm upgrade")}`, shell);
    expect(installed.stdout).toContain("BASE_URL: https://api.example.com");
  },
);
