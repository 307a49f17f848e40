/** The commands of the directory and its cells, as programs. (docs/directory.md) */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { withSession } from "../../src/database/connections/session.ts";
import { freePort } from "../../src/database/embedded/port.ts";
import { urlOfDatabase, withoutLogin } from "../../src/database/urls.ts";
import { type TestApi, testApi } from "../support/api.ts";
import { browserOfFile } from "../support/browser.ts";
import { mintToken, testConsole } from "../support/console.ts";
import { signInBrowser } from "../support/console-page.ts";
import { makeKey, makeOrganisation } from "../support/database.ts";
import { seen } from "../support/page-change.ts";
import { command, killPrograms } from "../support/program.ts";
import { type TwoCells, twoCells } from "../support/two-cells.ts";

const chromium = browserOfFile();
let cells: TwoCells;
let folder: string;
let env: Record<string, string>;
let api: TestApi | undefined;

beforeAll(async () => {
  cells = await twoCells();
  folder = mkdtempSync(join(tmpdir(), "botstead-cells-"));
  writeFileSync(join(folder, "one.url"), cells.source.adminUrl, { mode: 0o600 });
  writeFileSync(join(folder, "two.url"), `${cells.target.adminUrl}\n`, { mode: 0o600 });
  env = {
    DATABASE_URL: cells.source.adminUrl,
    MASTER_KEY: cells.source.masterKey,
    DIRECTORY_URL: urlOfDatabase("directory_of_commands", cells.source.adminUrl),
    CELL: "one",
  };
});
afterAll(async () => {
  await killPrograms();
  await api?.stop();
  rmSync(folder, { recursive: true, force: true });
  await cells?.end();
});

async function run(args: string[], more: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await command(args, { cwd: folder, env: { ...env, ...more } });
  if (code !== 0) throw new Error(`${args.join(" ")}: ${code} ${stderr}`);
  return stdout;
}

test("an operator goes from one cell to two, moves an organisation, and its key works through both", async () => {
  const { id, ownerId } = await makeOrganisation(cells.source);
  const { text: key } = await makeKey(cells.source, id, ownerId);
  const early = (
    await run(["platform-key", "mint", "--name", "early"], {
      DIRECTORY_URL: "",
      CELL: "",
    })
  ).trim();

  await run(["directory", "migrate"]);
  await run(["directory", "migrate"]); // can be repeated
  await run(["cell", "add", "one", "--url-file", "one.url"]);
  for (let times = 1; times <= 2; times += 1) await run(["cell", "add", "two", "--url-file", "two.url"]);
  expect(
    await cells.target.sql(
      `select command.operator, command.reason, command.arguments ->> 'name' as name, command.arguments ->> 'from' as source,
         key.prefix = $1 as is_key
       from app.operator_commands command left join app.platform_keys key on key.id = command.subject_id
       where command.action = 'copy_platform_key'`,
      [early.slice(0, 12)],
    ),
  ).toEqual([{ operator: userInfo().username, reason: null, name: "early", source: "one", is_key: true }]);
  const listed = JSON.parse(await run(["cell", "list", "--json"]));
  expect(listed).toMatchObject([
    { name: "one", state: "open", organisations: 1 },
    { name: "two", state: "open", organisations: 0 },
  ]);
  expect(JSON.stringify(listed)).not.toContain(new URL(cells.source.adminUrl).password);
  expect(await run(["organisation", "list"])).toBe(`${id}\tone\n`);

  api = await testApi(cells.source, { DIRECTORY_URL: env.DIRECTORY_URL ?? "", CELL: "one" });
  const create = (name: string, by: string) =>
    api?.call("POST", "/platform/organisations", { key: by, body: { name, owner: { email: `${name}@example.test` } } });
  expect(await run(["cell", "drain", "one"])).toBe("The cell one gets no new organisations.\n");
  expect((await create("early", early))?.status).toBe(201); // in cell two, which got the key
  const late = (await run(["platform-key", "mint", "--name", "late"])).trim();
  expect((await create("late", late))?.status).toBe(201);
  await run(["platform-key", "revoke", late.slice(0, 12)]);
  expect((await create("refused", late))?.status).toBe(401);
  await run(["cell", "open", "one"]);

  writeFileSync(join(folder, "other.url"), cells.source.adminUrl);
  await expect(run(["organisation", "move", id, "--to", "two", "--target-url-file", "other.url"])).rejects.toThrow(
    "The target is not the database that the directory has for this cell.",
  );
  await run(["organisation", "move", id, "--to", "two", "--target-url-file", "two.url"]);
  expect(await run(["organisation", "list", "--cell", "one"])).toBe("");
  expect((await api.call("GET", "/me", { key })).body.organisation.id).toBe(id);
  expect(await cells.target.sql("select id from app.organisations where id = $1", [id])).toEqual([{ id }]);
});

test("doctor names the organisations of a restored cell that have moved meanwhile, and a directory that is away", async () => {
  const { id } = await makeOrganisation(cells.source);
  await run(["cell", "add", "one", "--url-file", "one.url"]);
  const check = async (more: Record<string, string> = {}) => {
    const { stdout } = await command(["doctor", "--json"], { cwd: folder, env: { ...env, ...more } });
    return JSON.parse(stdout).checks.find((row: { check: string }) => row.check === "cells");
  };
  expect(await check()).toMatchObject({ result: "ok" });
  await withSession(env.DIRECTORY_URL ?? "", "test", async (directory) => {
    await directory.query("select directory.place($1, 'two')", [[id]]);
  });
  expect(await check()).toMatchObject({
    ...{ result: "failed", found: expect.stringContaining(`${id} in two`) },
    remedy: "docs/backups.md#a-cell-after-a-move",
  });
  expect(await check({ DIRECTORY_URL: urlOfDatabase("nowhere", cells.source.adminUrl) })).toMatchObject({
    ...{ result: "failed", found: expect.stringContaining("the directory cannot be read") },
  });
  expect(await check({ DIRECTORY_URL: "", CELL: "" })).toBeUndefined();
});

chromium.test(
  "a console finds things of another cell, links to its console, and names a cell that is away",
  async () => {
    const made = await makeOrganisation(cells.target);
    const { prefix } = await makeKey(cells.target, made.id, made.ownerId);
    const [person] = await cells.target.sql<{ email: string }>("select email from app.people where id = $1", [
      made.ownerId,
    ]);
    await cells.target.sql(
      `insert into app.webhook_endpoints (organisation_id, url, events, secret_sealed)
     values ($1, 'https://hooks.elsewhere.example/in', '{run.finished}', 'sealed')`,
      [made.id],
    );
    const settings = { DIRECTORY_URL: env.DIRECTORY_URL ?? "", CELL: "two" };
    const two = await testConsole(cells.target, settings);
    const one = await testConsole(cells.source, { ...settings, CELL: "one" });
    const { text: token } = await mintToken(cells.source, "view");
    await run(["cell", "add", "two", "--url-file", "two.url", "--console-url", `${two.url}/`]);
    const session = await signInBrowser(chromium.browser, { url: one.url, token });
    const { page } = session;
    try {
      await seen(page.getByText("console, cell one"));
      const links = page.getByRole("navigation", { name: "Consoles of other cells" }).getByRole("link");
      expect(await links.count()).toBe(1);
      expect(await links.getAttribute("href")).toBe(two.url);
      for (const [term, path] of [
        [made.id, `/organisations/${made.id}`],
        [person?.email ?? "", `/people/${made.ownerId}`],
        [prefix, `/organisations/${made.id}?tab=keys`],
        ["hooks.elsewhere", "/endpoints/"],
      ] as const) {
        await session.open(`/search?q=${encodeURIComponent(term)}`);
        const found = page.getByRole("table", { name: "Results in other cells" }).getByRole("link").first();
        expect(await found.getAttribute("href")).toContain(two.url + path);
      }
      expect((await fetch(`${one.url}/cells/search?q=${made.id}`)).status).toBe(401);
      const nowhere = new URL(cells.target.adminUrl);
      nowhere.port = String(await freePort());
      await withSession(env.DIRECTORY_URL ?? "", "test", (client) =>
        client.query("update directory.cells set url = $1 where name = 'two'", [withoutLogin(nowhere.href)]),
      );
      await session.open(`/search?q=${made.id}`);
      await seen(page.getByRole("alert").getByText("they do not respond: two."));
      await withSession(env.DIRECTORY_URL ?? "", "test", (client) =>
        client.query("update directory.cells set url = $1 where name = 'two'", [withoutLogin(cells.target.adminUrl)]),
      );
      await page.getByRole("button", { name: "Try again" }).click();
      await seen(page.getByRole("table", { name: "Results in other cells" }));
      expect(await page.getByRole("alert").count()).toBe(0);
      expect((await session.close()).complaints).toEqual([]);
    } finally {
      await Promise.all([one.stop(), two.stop()]);
    }
  },
);

test("wrong uses are refused with a sentence", async () => {
  const refused = async (args: string[], more: Record<string, string> = {}) => {
    const { code, stderr } = await command(args, { cwd: folder, env: { ...env, ...more } });
    expect(code).not.toBe(0);
    return stderr;
  };
  expect(await refused(["cell", "list"], { DIRECTORY_URL: "", CELL: "" })).toContain("There is no directory");
  expect(await refused(["cell", "list"], { CELL: "" })).toContain("CELL must be set when DIRECTORY_URL is");
  expect(await refused(["cell", "drain", "three"])).toContain("no cell of that name");
  expect(await refused(["cell", "add", "Two", "--url-file", "two.url"])).toContain("lower-case letters");
  const withoutScheme = ["cell", "add", "two", "--url-file", "two.url", "--console-url", "two.example"];
  expect(await refused(withoutScheme)).toContain("must be an http or https address");
  const revoking = ["platform-key", "revoke", "0192f1f0-0000-7000-8000-000000000000"];
  expect(await refused(revoking)).toContain("Give the prefix");
});
