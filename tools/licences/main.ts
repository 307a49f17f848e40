/**
 * Adds to a bill of materials in CycloneDX the parts of the image that are no npm packages. The Dockerfile runs it after `npm sbom`.
 *
 *     node tools/licences/main.ts sbom.cdx.json
 */
import { readFileSync, writeFileSync } from "node:fs";
import { readParts } from "./parts.ts";

const [file] = process.argv.slice(2);
if (!file) throw new Error("The path of the bill of materials is missing: pass it as the first argument.");
const bill = JSON.parse(readFileSync(file, "utf8"));
for (const { name, version, licence, where } of readParts()) {
  if (!where.split(", ").includes("image")) continue;
  const purl = `pkg:generic/${name.toLowerCase().replaceAll(" ", "-")}@${version}`;
  bill.components.push({
    "bom-ref": purl,
    type: "library",
    name,
    version,
    purl,
    licenses: [{ license: { id: licence } }],
  });
}
writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
