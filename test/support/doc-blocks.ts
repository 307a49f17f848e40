/** The code blocks of the documentation, and a shell that runs them. */
import { spawn } from "node:child_process";
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { signalGroup } from "./process-tree.ts";
import { cli } from "./program.ts";
import { eventually } from "./worker.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));

export type Block = { page: string; language: string; text: string; before: string };

/** Every fenced block of every page, with the text before it since the last block. */
export function docBlocks(): Block[] {
  const pages = globSync("{*.md,{docs,examples,ops,clients/python,tools/client}/**/*.md}", {
    cwd: project,
    exclude: ["**/node_modules/**"],
  });
  return pages.toSorted().flatMap((page) => {
    const text = readFileSync(join(project, page), "utf8");
    let end = 0;
    return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].map((found) => {
      const [whole, indent = "", language = "", code = ""] = found;
      const before = text.slice(end, found.index);
      end = found.index + whole.length;
      return { page, language, text: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""), before };
    });
  });
}

/** A folder in which `npx botstead`, `npm start` and the paths of the pages work as in the repository. */
export function likeTheRepository(folder: string): void {
  mkdirSync(join(folder, "node_modules", ".bin"), { recursive: true });
  symlinkSync(cli, join(folder, "node_modules", ".bin", "botstead"));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "here", private: true, scripts: { start: "botstead start" } }),
  );
  for (const name of ["ops", "examples"]) symlinkSync(join(project, name), join(folder, name));
}

export type Shell = { cwd: string; env?: Record<string, string>; through?: string[]; input?: string };
export type Said = { code: number | null; stdout: string; stderr: string };

/** The block in a shell of its own, which ends at the first command that fails. */
export function begin(text: string, { cwd, env = {}, through = [], input = "" }: Shell) {
  const { PATH = "" } = process.env;
  const [program = "", ...args] = [...through, "bash", "--norc", "-euo", "pipefail", "-c", text];
  const child = spawn(program, args, {
    cwd,
    env: { PATH, HOME: cwd, npm_config_update_notifier: "false", ...env },
    detached: true,
  });
  const said: Said = { code: null, stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (part) => {
      said[name] += part;
    });
  }
  child.stdin.on("error", () => {}); // a command that reads nothing may have ended
  child.stdin.end(input);
  const ending = new Promise<Said>((resolve) =>
    child.once("close", (code) => resolve(Object.assign(said, { code: code ?? -1 }))),
  );
  const stop = async (): Promise<Said> => {
    if (said.code === null) signalGroup(child.pid, "SIGTERM");
    return ending;
  };
  return { said, ending, stop };
}

/** Runs the block to its end. @throws Error with its output if it fails */
export async function runBlock(text: string, shell: Shell): Promise<Said> {
  const said = await begin(text, shell).ending;
  if (said.code !== 0) throw new Error(`${text}\nended with ${said.code}:\n${said.stdout}\n${said.stderr}`);
  return said;
}

/** Runs a block that starts a process until the condition holds, and stops it. @throws Error if it ends before */
export async function runUntil(text: string, shell: Shell, works: (said: Said) => Promise<boolean>): Promise<Said> {
  const running = begin(text, shell);
  try {
    await eventually(async () => running.said.code !== null || (await works(running.said)));
    if (running.said.code !== null) throw new Error(`${text}\nended: ${running.said.stdout}\n${running.said.stderr}`);
  } finally {
    await running.stop();
  }
  return running.said;
}

export const inProject = (path: string): string => join(project, path);
