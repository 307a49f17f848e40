/** search_operations finds operations by what people and agents ask. (docs/mcp.md) */
import { openApiDocument } from "../../src/http/openapi/document.ts";
import { apiOfFile } from "../support/callers.ts";
import { connectAgent } from "../support/mcp.ts";
import { heldOut, known, type Question } from "./search-questions.ts";

const here = apiOfFile();

test("For 95 % of 60 questions an operation that answers is among the first three", async () => {
  const agent = await connectAgent(here.api.url, (await here.owner()).key.text);
  const rankOf = async ([query, ...answers]: Question) => {
    const { operations } = await agent.use("search_operations", { query });
    return operations.findIndex(({ name }: { name: string }) => answers.includes(name));
  };
  const ranks = await Promise.all([...known, ...heldOut].map(rankOf));
  const missed = [...known, ...heldOut].filter((_, index) => !isFirstThree(ranks[index] ?? -1)).map(([query]) => query);
  expect([...known, ...heldOut]).toHaveLength(60);
  expect([missed, missed.length <= 3]).toEqual([missed, true]);
});

const isFirstThree = (rank: number) => rank >= 0 && rank < 3;

test("A search with a narrow key names the operation that needs a wider one", async () => {
  const agent = await connectAgent(here.api.url, (await here.owner("read")).key.text);
  const { operations, note } = await agent.use("search_operations", { query: "invite a colleague" });
  expect(operations.map(({ name }: { name: string }) => name)).not.toContain("create_invitation");
  expect(note).toBe("create_invitation needs a key of scope `admin`. This key has scope `read`.");
  expect(await agent.use("describe_operation", { name: "create_invitation" })).toEqual({
    error: { code: "unauthenticated", message: note },
  });
});

test("Every operation of the document has search terms", () => {
  const { paths } = openApiDocument(here.api.url);
  for (const { operationId, security, ...operation } of Object.values(paths).flatMap(Object.values)) {
    if (security.length === 0 || "hookSignature" in security[0]) continue; // the document itself, and posts to hooks
    expect([operationId, operation["x-botstead-search-terms"]]).toEqual([operationId, expect.stringMatching(/\w, \w/)]);
  }
});
