/** docs/architecture.md lists the files on the way of a request. They are the files whose functions run. */
import { readFileSync } from "node:fs";
import { ownApiOfFile } from "../support/callers.ts";
import { countFunctions, definitionsOf, sourcesOf } from "../support/way.ts";

const here = ownApiOfFile();
const page = readFileSync(new URL("../../docs/architecture.md", import.meta.url), "utf8");
const [, section = ""] = page.split("\n## The way of a request\n");
const rows = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| "));

/** The files of these columns of the table. */
const listed = (...columns: number[]): string[] =>
  rows.flatMap((row) =>
    columns.flatMap((column) =>
      [...(row.split("|")[column] ?? "").matchAll(/`((?:src|sql)\/[^`]+)`/g)].map(([, file = ""]) => file),
    ),
  );

const filesOf = async (work: () => Promise<unknown>) => [
  ...(await sourcesOf(work)),
  ...(await definitionsOf(here.db, work)),
];

beforeAll(async () => void (await countFunctions(here.db)));

test("a GET passes the files that the page lists, and no other", async () => {
  const ada = await here.owner("admin");
  const memory = { scope: "organisation", kind: "policy", subject: "Hours", value: "Nine to five" };
  const { id } = (await ada.post("/memories", memory)).body;
  const files = await filesOf(async () => expect((await ada.get(`/memories/${id}`)).status).toBe(200));
  expect(files.toSorted()).toEqual(listed(2, 3).toSorted());
});

test("a POST of a run passes the files that the page lists, and no other", async () => {
  const ada = await here.owner("admin");
  const { body: bot } = await ada.post("/bots", { name: "Pilot", model: "recall" });
  const files = await filesOf(async () =>
    expect((await ada.post("/runs", { botId: bot.id, message: "When does the ferry leave?" })).status).toBe(202),
  );
  expect(files.toSorted()).toEqual(listed(2, 4).toSorted());
});
