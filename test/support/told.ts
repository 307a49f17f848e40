/** For every file of tests: a failure shows what the service logged, and faults and hostile things tell what was counted. */
import { showWhenFailed } from "./logged.ts";
import { hasTold } from "./reliability.ts";

showWhenFailed();

if (/\/test\/(fault|hostile)\//.test(expect.getState().testPath ?? "")) {
  afterEach(() => {
    if (!hasTold()) throw new Error("It told nothing: every test of test/fault and test/hostile calls `tell`.");
  });
}
