/** The samples that an endpoint's page shows, run as shown: they accept a delivery of the worker and refuse altered ones. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { areThere, testWith } from "../support/machine.ts";
import { portalOfFile } from "../support/portal-page.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile(undefined, { worker: true });

type Delivery = { secret: string; headers: Record<string, string>; body: string };

/** By the language that the page names: how the sample runs, and the Debian packages of its programs. */
const runners: Record<string, { programs: string[]; accepts: (sample: string, delivery: Delivery) => boolean }> = {
  TypeScript: {
    programs: [],
    accepts: (sample, { secret, headers, body }) => {
      const given = `const [signingSecret, headers, rawBody] = JSON.parse(process.argv[2] ?? "");`;
      const file = save("receiver.ts", `${given}\n${sample}\nconsole.log(event.event);\n`);
      return run(process.execPath, [file, JSON.stringify([secret, headers, body])]) === "webhook.test\n";
    },
  },
  Python: {
    programs: ["python3"],
    accepts: (sample, { secret, headers, body }) => {
      const call = "import json, sys\nsecret, headers, body = json.loads(sys.argv[1])";
      const file = save("receiver.py", `${sample}\n\n${call}\nprint(is_botsteads(secret, headers, body.encode()))\n`);
      return run("python3", ["-B", file, JSON.stringify([secret, headers, body])]) === "True\n";
    },
  },
  Shell: {
    programs: ["openssl"],
    accepts: (sample, { secret, headers, body }) => {
      save("body.json", body);
      const { "x-botstead-timestamp": TIMESTAMP, "x-botstead-signature": SIGNATURE } = headers;
      return run("sh", ["-c", sample], { SECRET: secret, TIMESTAMP, SIGNATURE }) === "verified\n";
    },
  },
};

let folder: string;
/** By language, as the page shows them. */
let samples: Map<string, string>;
let delivery: Delivery;

const save = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

/** What the program printed; "" if it failed. */
function run(program: string, args: string[], env: Record<string, string | undefined> = {}): string {
  try {
    const options = { cwd: folder, env: { PATH: process.env.PATH, ...env }, encoding: "utf8" } as const;
    return execFileSync(program, args, { ...options, stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return "";
  }
}

/** A test delivery of a new endpoint, and the samples on the endpoint's page. */
async function receive(): Promise<void> {
  const hook = here.office.hook();
  const { id, secret } = (await here.data.who.ask("POST", "/webhooks", { url: hook.url, events: ["run.finished"] }))
    .body;
  await here.data.who.ask("POST", `/webhooks/${id}/test`);
  await eventually(async () => hook.posts().length === 1);
  const [post] = hook.posts();
  delivery = { secret, headers: post?.headers as Delivery["headers"], body: post?.body ?? "" };
  await here.portal(async ({ page, open }) => {
    await open(`/portal/endpoints/${id}`);
    const shown = await page.locator("details.sample").all();
    samples = new Map();
    for (const sample of shown)
      samples.set(await sample.locator("summary").innerText(), (await sample.locator("pre").textContent()) ?? "");
  });
}

if (areThere("chromium-headless-shell")) {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "botstead-samples-"));
    symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(folder, "node_modules"));
    await receive();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

here.chromium.test("every sample on the page is run below, and the sample for Python equals the example", async () => {
  expect([...samples.keys()]).toEqual(Object.keys(runners));
  const example = readFileSync(new URL("../../examples/python/webhook.py", import.meta.url), "utf8");
  const [signature = "", ...body] = (samples.get("Python") ?? "").split("def ").at(-1)?.split("\n") ?? [];
  expect([signature, example]).toEqual([
    expect.stringMatching(/^is_botsteads\(/),
    expect.stringContaining(body.join("\n")),
  ]);
});

for (const [language, { programs, accepts }] of Object.entries(runners)) {
  testWith("chromium-headless-shell", ...programs)(
    `the ${language} sample accepts a delivery, and refuses an altered one, another time and another secret`,
    async () => {
      const sample = samples.get(language) ?? "";
      const { headers, body, secret } = delivery;
      const later = String(Number(headers["webhook-timestamp"]) + 1);
      const altered: Record<string, Partial<Delivery>> = {
        body: { body: body.replace("webhook.test", "webhook.text") },
        time: { headers: { ...headers, "webhook-timestamp": later, "x-botstead-timestamp": later } },
        secret: { secret: secret.replace(/.{2}=$/, secret.endsWith("AA=") ? "BB=" : "AA=") },
      };
      expect(body).toContain("webhook.test");
      expect(accepts(sample, delivery)).toBe(true);
      for (const [what, change] of Object.entries(altered))
        expect([what, accepts(sample, { ...delivery, ...change })]).toEqual([what, false]);
    },
  );
}
