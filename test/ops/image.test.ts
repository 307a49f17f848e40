/** The image: the files that the Dockerfile copies are enough for `botstead build`. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../../", import.meta.url));
const [front = ""] = readFileSync(join(project, "Dockerfile"), "utf8")
  .split(/^FROM .*$/m)
  .slice(1);

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
