/** The linter finds planted problems. */
import { fileURLToPath } from "node:url";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { installPackages } from "../../tools/packages.ts";
import type { Json } from "../support/api.ts";

installPackages(fileURLToPath(new URL("../../tools/contract/", import.meta.url)));
const { lint } = await import("../../tools/contract/lint.ts");

const findingsAfter = (change: (document: Json) => void): Promise<string[]> => {
  const document = JSON.parse(JSON.stringify(openApiDocument("http://127.0.0.1:3000")));
  change(document);
  return lint(JSON.stringify(document));
};

test("lint reports nothing for the contract", async () => {
  expect(await findingsAfter(() => {})).toEqual([]);
});

test.each<[rule: string, change: (document: Json) => void]>([
  ["operation-operationId", ({ paths }) => delete paths["/me"].get.operationId],
  ["operation-description", ({ paths }) => delete paths["/me"].get.description],
  ["operation-tag-defined", ({ paths }) => delete paths["/me"].get.tags],
  ["operation-tag-defined", ({ paths }) => paths["/me"].get.tags.push("Nowhere")],
  ["tag-description", ({ tags }) => delete tags[0].description],
  ["security-defined", ({ paths }) => paths["/me"].get.security.push({ nowhere: [] })],
  [
    "no-invalid-media-type-examples",
    ({ paths }) => {
      paths["/keys"].post.requestBody.content["application/json"].example = { name: 1 };
    },
  ],
])("lint reports %s", async (rule, change) => {
  expect((await findingsAfter(change)).join("\n")).toContain(`${rule}: `);
});
