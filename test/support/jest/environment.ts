/** Test files run among Node's own globals, not in a context of their own. Node itself loads their modules: see runner.ts. */
import { createContext } from "node:vm";
import { ModuleMocker } from "jest-mock";
import { showWhenFailed } from "../logged.ts";
import { noteProcessorTimeOfFiles } from "./processor-notes.ts";

export default class Environment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern = null;
  readonly #before = { env: { ...process.env }, console, exit: process.exit };

  readonly exportConditions = () => ["node", "node-addons"];
  /** Jest requires a context. No test file runs in it. */
  readonly getVmContext = () => createContext();
  readonly handleTestEvent = showWhenFailed;
  async setup() {}

  /** Restores what jest and test files change. */
  async teardown() {
    const { env, console, exit } = this.#before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    Object.assign(process, { exit, exitCode: undefined });
    Object.assign(globalThis, { console });
    noteProcessorTimeOfFiles();
  }
}
