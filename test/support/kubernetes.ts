/**
 * Validates the manifests of ops/kubernetes with the published schemas of Kubernetes (kubernetes-models). Its
 * validators check values. Its types, through the compiler, also find unknown fields, which the schemas allow.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, parseAllDocuments } from "yaml";
import { installPackages } from "../../tools/packages.ts";
import { compiler } from "../../tools/typescript/compiler.ts";
import type { Json } from "./api.ts";
import { importModels } from "./kubernetes/models.ts";

const folder = new URL("../../ops/kubernetes/", import.meta.url);
const schemas = fileURLToPath(new URL("kubernetes/", import.meta.url));

export type Manifest = { file: string; apiVersion: string; kind: string; name: string; body: Json };

const read = (file: string) => readFileSync(new URL(file, folder), "utf8");

export const kustomization = (): Json => parse(read("kustomization.yaml"));
/** Of kustomize and Helm themselves. */
const notManifests = ["kustomization.yaml", "Chart.yaml", "values.yaml"];
export const files = (): string[] =>
  readdirSync(folder).filter((file) => file.endsWith(".yaml") && !notManifests.includes(file));

export const manifestsOf = (file: string, text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => {
    const body = document.toJS();
    return { file, apiVersion: body.apiVersion, kind: body.kind, name: body.metadata.name, body };
  });

export const manifests = (): Manifest[] => files().flatMap((file) => manifestsOf(file, read(file)));

/** Manifests that create pods, with the pod's specification. */
export const workloads = (): (Manifest & { pod: Json; container: Json })[] =>
  manifests()
    .filter(({ kind }) => kind === "Deployment" || kind === "Job")
    .map((manifest) => {
      const pod = manifest.body.spec.template.spec;
      return { ...manifest, pod, container: pod.containers[0] };
    });

/** Modules of kubernetes-models by apiVersion. Modules of the Prometheus operator are a separate package. */
const moduleOf = (apiVersion: string) =>
  apiVersion.startsWith("monitoring.coreos.com/")
    ? `@kubernetes-models/prometheus-operator/${apiVersion}`
    : `kubernetes-models/${apiVersion}`;

/** Violations of the schema, as text; empty if valid. */
export async function wrongValues({ apiVersion, kind, body }: Manifest): Promise<string[]> {
  installPackages(schemas);
  const models = await importModels<Record<string, (new (data: Json) => { validate(): void }) | undefined>>(
    moduleOf(apiVersion),
  );
  const Model = models[kind];
  if (!Model) return [`${apiVersion} has no ${kind}`];
  try {
    new Model(body).validate();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Errors of the compiler, such as unknown or missing fields; empty if valid. */
export function wrongFields(all: Manifest[]): string[] {
  installPackages(schemas);
  const here = mkdtempSync(join(tmpdir(), "botstead-manifests-"));
  try {
    symlinkSync(join(schemas, "node_modules"), join(here, "node_modules"));
    const source = all.map(
      ({ apiVersion, kind, body }, index) =>
        `import type { I${kind} as Kind${index} } from "${moduleOf(apiVersion)}";\n` +
        `export const manifest${index}: Kind${index} = ${JSON.stringify(body)};\n`,
    );
    writeFileSync(join(here, "manifests.ts"), source.join(""));
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--types", ""];
    const { stdout, status } = spawnSync(process.execPath, [compiler(), ...options, "manifests.ts"], {
      cwd: here,
      encoding: "utf8",
    });
    return status === 0 ? [] : stdout.split("\n").filter((line) => line.includes("error"));
  } finally {
    rmSync(here, { recursive: true });
  }
}

/** Parses a Kubernetes quantity into bytes. */
export function bytes(quantity: string): number {
  const [, number, unit] = /^(\d+)(Ki|Mi|Gi)$/.exec(quantity) ?? [];
  const power = ["Ki", "Mi", "Gi"].indexOf(unit ?? "") + 1;
  if (power === 0) throw new Error(`${quantity} is no quantity of memory.`);
  return Number(number) * 1024 ** power;
}

/** The body of the manifest. */
export const named = (kind: string, name: string) =>
  manifests().find((manifest) => manifest.kind === kind && manifest.name === name)?.body;
/** The settings that all parts have. */
export const settings = (): Record<string, string> => named("ConfigMap", "botstead-settings").data;
/** Workloads by the labels of their pods. */
export const selected = (labels: Record<string, string>) =>
  workloads().filter(({ body }) =>
    Object.entries(labels).every(([name, value]) => body.spec.template.metadata.labels[name] === value),
  );
