/** search_operations finds operations by what people and agents ask. (docs/mcp.md) */

import { openApiDocument } from "../../src/api/openapi/document.ts";
import { toolOperations } from "../../src/mcp/offered.ts";
import { apiOfFile } from "../support/callers.ts";
import { connectAgent } from "../support/mcp.ts";
import { everyday, everydayHeldOut } from "./search-everyday.ts";
import { heldOut, known, type Question } from "./search-questions.ts";
import { spoken, spokenHeldOut } from "./search-spoken.ts";

const here = apiOfFile();

/** By set: its questions, and how many of them the search answered when it was measured. */
const sets: [name: string, questions: Question[], answered: number][] = [
  ["60 short questions", [...known, ...heldOut], 57],
  ["30 spoken questions that the search terms were written with", spoken, 29],
  ["30 spoken questions that they were not written with", spokenHeldOut, 26],
  ["15 further questions that they were written with", everyday, 14],
  ["15 further questions that they were not written with", everydayHeldOut, 9],
];

test.each(sets)(
  "For %s an operation that answers is as often among the first three as measured",
  async (_name, questions, answered) => {
    const agent = await connectAgent(here.api.url, (await here.owner()).key.text);
    const rankOf = async ([query, ...answers]: Question) => {
      const { operations } = await agent.use("search_operations", { query });
      return operations.findIndex(({ name }: { name: string }) => answers.includes(name));
    };
    const ranks = await Promise.all(questions.map(rankOf));
    const missed = questions.filter((_, index) => !isFirstThree(ranks[index] ?? -1)).map(([query]) => query);
    expect([missed, questions.length - missed.length >= answered]).toEqual([missed, true]);
  },
);

test.each([
  "who created the key",
  "who revoked this key",
  "who deleted the bot",
  "who created the webhook",
  "who made this token",
])("list_audit is among the first three for: %s", async (query) => {
  const agent = await connectAgent(here.api.url, (await here.owner()).key.text);
  const { operations } = await agent.use("search_operations", { query });
  expect(operations.slice(0, 3).map(({ name }: { name: string }) => name)).toContain("list_audit");
});

test("Every answer of a question is an operation that agents can call", () => {
  const answers = sets.flatMap(([, questions]) => questions).flatMap(([, ...names]) => names);
  expect(answers.filter((name) => !toolOperations.has(name))).toEqual([]);
  expect([spoken, spokenHeldOut, everyday, everydayHeldOut].map(({ length }) => length)).toEqual([30, 30, 15, 15]);
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
