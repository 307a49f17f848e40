/** The command line as a child process. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { TestDatabase } from "./database.ts";
import { eventually } from "./worker.ts";

export const cli = fileURLToPath(new URL("../../src/botstead.js", import.meta.url));

/** The Node options of `npm start` and of the systemd units. */
export const asForUse = { NODE_OPTIONS: "--max-semi-space-size=4" };

/** On a busy machine a program under test answers late rather than with 503. */
export const unhurried = { RESPONSE_TIMEOUT_SECONDS: "30" };

export type Ending = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

export type Program = {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Waits until standard output matches. @throws Error with the output after a time-out or if it ended */
  says(pattern: RegExp, withinMs?: number): Promise<RegExpMatchArray>;
  ending: Promise<Ending>;
  /** Sends the signal and waits for the end, unless it has ended. */
  kill(signal?: NodeJS.Signals): Promise<Ending>;
};

export type Settings = {
  /** Environment of the program, besides PATH, HOME and `unhurried`. */
  env?: Record<string, string>;
  cwd?: string;
  script?: string;
  /** In a new process group, as in a shell. */
  detached?: boolean;
  /** A command that runs the program in its own process, such as prlimit. */
  through?: string[];
};

const running = new Set<Program>();

export function runProgram(args: string[], settings: Settings = {}): Program {
  const { env = {}, cwd, script = cli, detached = false, through = [] } = settings;
  const { PATH = "", HOME = "" } = process.env;
  const [file = "", ...rest] = [...through, process.execPath, script, ...args];
  const child = spawn(file, rest, {
    env: { PATH, HOME, ...unhurried, ...env },
    cwd,
    detached,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.stderr += text));
  const ending = new Promise<Ending>((resolve) => {
    child.once("close", (code, signal) => {
      running.delete(program);
      resolve({ code, signal, ...said });
    });
  });
  const program: Program = {
    child,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    ending,
    async says(pattern, withinMs) {
      const ended = () => child.exitCode !== null || child.signalCode !== null;
      const heard = () => said.stdout.match(pattern);
      await eventually(async () => heard() !== null || ended(), withinMs).catch(() => {});
      const match = heard();
      if (!match) throw new Error(`It did not say ${pattern}:\n${said.stdout}\n${said.stderr}`);
      return match;
    },
    kill(signal = "SIGKILL") {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ending;
    },
  };
  running.add(program);
  return program;
}

/** Waits until it responds. @throws Error with its output if it ends before */
export async function untilWorks(program: Program, works: () => Promise<boolean>, withinMs?: number): Promise<void> {
  const hasEnded = () => program.child.exitCode !== null || program.child.signalCode !== null;
  await eventually(async () => hasEnded() || (await works().catch(() => false)), withinMs);
  if (hasEnded()) throw new Error(`It ended: ${program.stderr()}`);
}

/** Whether the process that serves this address lives. */
export const answersAt = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** `botstead api` at PORT of `env`. Resolves when it responds. @param script of another version @throws Error if it ends before */
export async function runApi(env: Record<string, string>, script = cli): Promise<Program> {
  const program = runProgram(["api"], { env, script });
  await untilWorks(program, () => answersAt(`http://127.0.0.1:${env.PORT}`));
  return program;
}

/** Runs a command to its end. */
export const command = (args: string[], settings: Settings = {}): Promise<Ending> => runProgram(args, settings).ending;

/** A command on this database. @param script of another version */
export const commandOn = (
  { adminUrl, masterKey, dataDir }: Pick<TestDatabase, "adminUrl" | "masterKey" | "dataDir">,
  args: string[],
  script = cli,
): Promise<Ending> => command(args, { cwd: dataDir, env: { DATABASE_URL: adminUrl, MASTER_KEY: masterKey }, script });

/** What a command prints with --json. It must succeed without a message. */
// biome-ignore lint/suspicious/noExplicitAny: the sections differ by command
export async function jsonOf(db: Parameters<typeof commandOn>[0], ...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await commandOn(db, [...args, "--json"]);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

/** Ends all programs that this test file started. */
export async function killPrograms(): Promise<void> {
  await Promise.all([...running].map((program) => program.kill()));
}
