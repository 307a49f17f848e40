/** For every file of tests: one that does faults, or hostile things, must tell what it counted. */
import { hasTold } from "./reliability.ts";

if (/\/test\/(fault|hostile)\//.test(expect.getState().testPath ?? "")) {
  afterEach(() => {
    if (!hasTold()) throw new Error("It told nothing: every test of test/fault and test/hostile calls `tell`.");
  });
}
