/** The Python client as it is published: a wheel, used as it is and checked by mypy. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { testWith } from "../support/machine.ts";
import { answers, startScriptedServer } from "../support/scripted-server.ts";
import { python, pythonDriver } from "./python-driver.ts";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "botstead-wheel-"));
const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
const wheel = join(folder, `botstead-${version}-py3-none-any.whl`);
const repository = "https://git.example/botstead";
afterAll(() => rmSync(folder, { recursive: true, force: true }));

testWith(
  "python3-httpx",
  "python3-hatchling",
  "mypy",
)("the wheel can be published, works and has types", async () => {
  const env = { ...process.env, PATH: `/usr/bin:${process.env.PATH}`, REPOSITORY_URL: repository };
  await run("npm", ["run", "client:build:python", "--", "--directory", folder], { cwd: project, env });

  // An installer writes the same files to the same places.
  await run(python, ["-m", "zipfile", "--extract", wheel, folder]);
  const information = (name: string) => readFileSync(join(folder, `botstead-${version}.dist-info`, name), "utf8");
  expect(information("METADATA")).toContain(`Project-URL: Repository, ${repository}\n`);
  expect(information("METADATA")).toContain("License-Expression: MIT\n");
  expect(information("METADATA").match(/^Requires-Dist: .*/gm)).toEqual(["Requires-Dist: httpx<1,>=0.23"]);
  expect(information("RECORD")).toContain("botstead/py.typed");

  const server = await startScriptedServer();
  server.script.push(answers(200, { id: "1" }));
  const driver = pythonDriver(wheel);
  const outcome = await driver.perform(
    { baseUrl: server.url, key: "bsk_test" },
    { call: "get_run", path: { id: "1" } },
  );
  await Promise.all([driver.close(), server.close()]);
  expect(outcome).toEqual({ body: { id: "1" } });

  const { right, wrong } = await checked();
  expect(right).toEqual([]);
  expect(wrong).toEqual(mistakes.map(([, code]) => code));
});

test("without Python or hatchling the build says what it needs", () => {
  const built = spawnSync(process.execPath, ["tools/client/wheel.ts"], {
    cwd: project,
    env: { PATH: "/nonexistent" },
    encoding: "utf8",
  });
  expect(built).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("pip install hatchling") });
});

const mistakes = [
  ["client.get_robot('1')", "attr-defined"],
  ["client.start_run({'botId': '1'})", "typeddict-item"],
  ["client.start_run()", "call-arg"],
  ["client.get_run()", "call-arg"],
  ["client.list_runs(state='done')", "arg-type"],
  ["client.get_me()['colour']", "typeddict-item"],
  ["client.get_me(idempotency_key='1')", "call-arg"],
  ["client.get_me().pages()", "attr-defined"],
  ["for run in client.list_runs(): run['answer']", "typeddict-item"],
];

/** Codes of mypy's errors in programs that use the client, and in the package itself. */
async function checked() {
  const readme = readFileSync(join(project, "clients/python/README.md"), "utf8");
  const [, shown = ""] = /```python\n([\s\S]*?)```/.exec(readme) ?? [];
  const declared = "key: str\nbot_id: str\nraw_body: bytes\nrequest_headers: dict[str, str]\nsecret: str\n";
  const narrowed = 'if delivery["event"] == "run.finished":\n    run_id: str = delivery["data"]["runId"]\n';
  writeFileSync(join(folder, "right.py"), declared + shown + narrowed);
  const lines = mistakes.map(([line]) => line);
  writeFileSync(
    join(folder, "wrong.py"),
    ["from botstead import Botstead", "client = Botstead('', '')", ...lines].join("\n"),
  );
  const config = join(project, "clients/python/pyproject.toml");
  const options = ["--config-file", config, "--python-executable", python, "--cache-dir", join(folder, ".cache")];
  const { stdout } = await run("mypy", [...options, "-p", "botstead", "-m", "right", "-m", "wrong"], {
    cwd: folder,
  }).catch((failed: { stdout: string }) => failed);
  const errors = stdout.split("\n").filter((line) => line.includes(": error:"));
  return {
    right: errors.filter((line) => !line.startsWith("wrong.py")),
    wrong: errors.filter((line) => line.startsWith("wrong.py")).map((line) => /\[([a-z-]+)\]$/.exec(line)?.[1]),
  };
}
