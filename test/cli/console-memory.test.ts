/** Memory of the console: idle, after an operator's session, and after 500 queries. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Installation, makeInstallation, type Started } from "../support/installation.ts";
import { asForUse, command, killPrograms } from "../support/program.ts";
import { savedQueries } from "../support/saved-queries.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
let home: Installation;
let started: Started;
let token: string;

beforeAll(async () => {
  home = await makeInstallation();
  const [compile, cache] = ["src/compile.js", "node_modules/.cache/botstead"].map((path) => join(root, path));
  execFileSync(process.execPath, [compile ?? "", cache ?? ""]); // as the first start does
  started = await home.start({ env: asForUse });
  token = (await command(["operator", "mint", "--name", "Measure"], { env: home.env })).stdout.trim();
});
afterAll(async () => {
  await home.remove();
  await killPrograms();
});

/** The proportional set size in MB: shared pages count in part. Without /proc, the resident set. */
function megabytes(): number {
  const { console } = started.parts();
  const file = `/proc/${console?.pid}/smaps_rollup`;
  if (!existsSync(file)) return console?.megabytes ?? Number.NaN;
  return Number(readFileSync(file, "utf8").match(/^Pss: +(\d+)/m)?.[1]) / 1024;
}

async function ask(query: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${home.env.CONSOLE_PORT}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  await response.arrayBuffer();
  return response.status;
}

const page = async (path: string) =>
  (await fetch(`http://127.0.0.1:${home.env.CONSOLE_PORT}${path}`, { headers: { authorization: `Bearer ${token}` } }))
    .status;

test("the console uses at most 170 MB when idle, after a session and after 500 queries", async () => {
  const sizes = { idle: megabytes(), session: 0, queries: 0 };
  const plain = Object.entries(savedQueries).filter(([, text]) => !/\$\w+: \w+!/.test(text));
  expect(plain.length).toBeGreaterThan(5);
  expect(await page("/")).toBe(200);
  for (const [name, text] of plain) expect([name, await ask(text)]).toEqual([name, 200]);
  sizes.session = megabytes();
  for (let count = 0; count < 500; count += 1) await ask(plain[count % plain.length]?.[1] ?? "");
  sizes.queries = megabytes();
  console.info(
    `console: ${Object.entries(sizes)
      .map(([when, size]) => `${when} ${size.toFixed(0)} MB`)
      .join(", ")}`,
  );
  for (const size of Object.values(sizes)) expect(size).toBeLessThan(170);
});
