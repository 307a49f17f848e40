/** The shell commands of docs/routines-and-hooks.md, run as printed except for the address, the key and the ids. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expectAnswer } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { testWith } from "../support/machine.ts";

const here = apiOfFile();
const page = readFileSync(new URL("../../docs/routines-and-hooks.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
const shell = testWith("bash", "curl", "openssl");

/** @param given the key and the bot that replace the two ellipses */
async function run(code: string, env: Record<string, string>, key = "", bot = ""): Promise<Json> {
  const script = code
    .replaceAll("http://127.0.0.1:3000", here.api.url)
    .replaceAll("bsk_…", key)
    .replaceAll('"botId":"…"', `"botId":"${bot}"`);
  const { PATH = "" } = process.env;
  const { stdout } = await promisify(execFile)("bash", ["-euc", script], { env: { PATH, ...env } });
  return JSON.parse(stdout);
}

shell("the commands create a routine and a hook, and the post of the other system starts a run", async () => {
  expect(blocks).toHaveLength(3);
  const [routine = "", hook = "", post = ""] = blocks;
  const ada = await here.owner();
  const bot = (await ada.post("/bots", { name: "Guide" })).body.id;
  const made = await run(routine, {}, ada.key.text, bot);
  expect(expectAnswer("get_routine", await ada.get(`/routines/${made.id}`))).toMatchObject({
    schedule: "30 8 * * MON-FRI",
    timeZone: "Europe/Berlin",
  });
  const { secret, path } = await run(hook, {}, ada.key.text, bot);
  const { runId } = await run(post, { SECRET: secret, HOOK_PATH: path });
  expect((await ada.get(`/runs/${runId}`)).body).toMatchObject({ trigger: "webhook", taint: true });
});
