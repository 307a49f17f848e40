/**
 * Jest's runner of a test file (`testRunner`), except that Node loads all modules, and each only once for all test files of
 * a process. Only the test file and the set-up file are evaluated for each file. See docs/decisions/0025-tests.md.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const runTestFile: RunTestFile = require("jest-circus/runner").default;
let loads = 0;

/** The members of jest's module loader that jest-circus calls, by Node's own loader. */
const loader = {
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule(path: string) {
    loads += 1;
    return import(`${pathToFileURL(path)}?load=${loads}`);
  },
  /** A new instance of jest-circus for each file, because it keeps the file's tests and handlers of events. */
  requireInternalModule(path: string) {
    delete require.cache[path];
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (ofOneFile.includes(symbol.description ?? "")) Reflect.deleteProperty(globalThis, symbol);
    }
    return require(path);
  },
  requireModule: require,
  setGlobalsForRuntime() {},
  enterTestCode() {},
  leaveTestCode() {},
};

/** Names of symbols under which jest-circus keeps a file's tests and handlers of events. */
const ofOneFile = ["EVENT_HANDLERS", "JEST_STATE_SYMBOL"];

type RunTestFile = (
  globalConfig: unknown,
  projectConfig: unknown,
  environment: unknown,
  runtime: unknown,
  testPath: string,
  sendMessageToJest: unknown,
) => Promise<unknown>;

const run: RunTestFile = (globalConfig, projectConfig, environment, _runtime, testPath, sendMessageToJest) =>
  runTestFile(globalConfig, projectConfig, environment, loader, testPath, sendMessageToJest);

export default run;
