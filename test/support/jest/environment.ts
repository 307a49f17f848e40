/**
 * Test files run among Node's own globals, not in a context of their own, so that all files of a process can share the
 * loaded packages. See runtime.ts.
 */
import { ModuleMocker } from "jest-mock";

/** Under this name jest keeps the handlers of a file's events. They must not get the events of the next file. */
const eventHandlers = Symbol.for("EVENT_HANDLERS");

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
    Reflect.deleteProperty(globalThis, eventHandlers);
  }
}
