/**
 * Test files run among Node's own globals, not in a context of their own, so that all files of a process can share the
 * loaded packages. See runtime.ts.
 */
import { ModuleMocker } from "jest-mock";

/**
 * Names of symbols under which jest keeps a file's tests and the handlers of its events. The next file must not call these
 * handlers, and the process must not keep the tests with all their modules.
 */
const ofOneFile = ["EVENT_HANDLERS", "JEST_STATE_SYMBOL"];

export default class Environment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern = null;
  readonly #before = { env: { ...process.env }, console, exit: process.exit };

  readonly exportConditions = () => ["node", "node-addons"];
  /** Jest requires a value, which runtime.ts does not use. */
  readonly getVmContext = () => ({});
  async setup() {}

  /** Restores what jest and test files change. */
  async teardown() {
    const { env, console, exit } = this.#before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    Object.assign(process, { exit, exitCode: undefined });
    Object.assign(globalThis, { console });
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (ofOneFile.includes(symbol.description ?? "")) Reflect.deleteProperty(globalThis, symbol);
    }
  }
}
