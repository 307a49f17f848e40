/** The calls by curl in README.md, docs/guide.md and docs/portal.md, run as printed except for the address, the key and the ids. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { apiOfFile } from "../support/callers.ts";
import { testWith } from "../support/machine.ts";

const here = apiOfFile();
const home = mkdtempSync(join(tmpdir(), "botstead-first-calls-"));
writeFileSync(join(home, ".curlrc"), "fail-with-body\nmax-time = 20\n");
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Blocks with a call of the API. */
const blocksOf = (page: string): string[] =>
  [...readFileSync(new URL(`../../${page}`, import.meta.url), "utf8").matchAll(/```(?:bash|sh)\n([\s\S]*?)```/g)]
    .map(([, code = ""]) => code)
    .filter((code) => code.includes("curl -s"));

testWith("bash", "curl")("each call that a page shows to newcomers succeeds", async () => {
  const ada = await here.owner();
  const botId = (await ada.post("/bots", { name: "Guide" })).body.id;
  const run = (await ada.post("/runs", { botId, message: "Hello" })).body.id;
  const blocks = ["README.md", "docs/guide.md", "docs/portal.md"].map(blocksOf);
  expect(blocks.map(({ length }) => length)).toEqual([2, 3, 1]);
  for (const block of blocks.flat()) {
    const script = block
      .replaceAll("http://127.0.0.1:3000", here.api.url)
      .replaceAll("bsk_…", ada.key.text)
      .replaceAll('"botId":"…"', `"botId":"${botId}"`)
      .replaceAll("RUN_ID", run)
      .replaceAll("PERSON_ID", ada.organisation.ownerId);
    const env = { PATH: process.env.PATH, CURL_HOME: home, KEY: ada.key.text };
    const { stdout } = await promisify(execFile)("bash", ["--norc", "-euc", script], { env });
    expect(stdout).toMatch(/^\{/);
  }
});
