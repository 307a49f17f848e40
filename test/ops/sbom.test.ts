/**
 * The bill of materials of the image, made by the lines of the Dockerfile: every package that the image installs, the parts that are no
 * packages, and no other.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inProject } from "../support/doc-blocks.ts";

const folder = mkdtempSync(join(tmpdir(), "botstead-sbom-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Package = {
  name?: string;
  version: string;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  link?: boolean;
};
type Component = { "bom-ref": string; purl: string; hashes?: object[]; licenses?: object[] };

test("the build of the image lists the packages of production, with licences and digests, Node and the Unicode data", () => {
  for (const name of ["package.json", "package-lock.json", ".npmrc", "THIRD_PARTY_LICENSES", "tools/licences"])
    cpSync(inProject(name), join(folder, name), { recursive: true });
  const lines = readFileSync(inProject("Dockerfile"), "utf8").match(/^RUN npm .*/gm) ?? [];
  const [, install = "", bill = ""] = lines.map((line) =>
    line.replace("RUN ", "").replace("npm cache clean --force", "true"),
  );
  const env = { ...process.env, NODE_ENV: "production", npm_config_prefer_offline: "true" };
  for (const line of [install, bill]) execFileSync("sh", ["-ec", line], { cwd: folder, env, stdio: "pipe" });

  const { components, ...rest } = JSON.parse(readFileSync(join(folder, "sbom.cdx.json"), "utf8"));
  expect(rest).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    metadata: { component: { type: "application" } },
  });
  const { packages } = JSON.parse(readFileSync(inProject("package-lock.json"), "utf8")) as {
    packages: Record<string, Package>;
  };
  const wanted = Object.entries(packages)
    .filter(
      ([path, { dev, optional, devOptional, link }]) =>
        path.includes("node_modules/") && !(dev || optional || devOptional || link),
    )
    .map(([path, { name, version }]) => `${name ?? path.split("node_modules/").at(-1)}@${version}`);
  const others = components.filter(({ purl }: Component) => purl.startsWith("pkg:generic/"));
  expect(others.map(({ purl }: Component) => purl)).toEqual([
    `pkg:generic/node@${process.versions.node}`,
    "pkg:generic/unicode-data@13.0.0",
  ]);
  const npmPackages = components.filter((each: Component) => !others.includes(each));
  const listed = npmPackages.map((each: Component) => each["bom-ref"].split("|")[0]);
  expect([...new Set(listed)].toSorted()).toEqual([...new Set(wanted)].toSorted());
  const bare = npmPackages.filter(({ hashes, licenses }: Component) => !hashes?.length || !licenses?.length);
  expect(bare.map(({ purl }: Component) => purl)).toEqual([]);
});
