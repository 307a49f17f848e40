/** That both linters look: each finds what is planted for it. */
import { openApiDocument } from "../../src/http/openapi/document.ts";
import { lint } from "../../tools/contract/lint.ts";
import type { Json } from "../support/api.ts";

const findingsAfter = (change: (document: Json) => void): Promise<string[]> => {
  const document = JSON.parse(JSON.stringify(openApiDocument("http://127.0.0.1:3000")));
  change(document);
  return lint(JSON.stringify(document));
};

test("neither has anything to say of the contract", async () => {
  expect(await findingsAfter(() => {})).toEqual([]);
}, 30_000);

test("both find an operation without a name, and an example that its schema refuses", async () => {
  const findings = await findingsAfter((document) => {
    delete document.paths["/me"].get.operationId;
    document.paths["/keys"].post.requestBody.content["application/json"].example = { name: 1 };
  });
  for (const linter of ["redocly", "spectral"]) {
    const said = findings.filter((finding) => finding.startsWith(linter)).join("\n");
    expect(said).toMatch(/operation-?id/i);
    expect(said).toMatch(/example/i);
  }
}, 30_000);
