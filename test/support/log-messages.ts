/** Setup of every test file: prints the service's log of a failed test, and requires counts of test/fault and test/hostile. */
import { showWhenFailed } from "./logged.ts";
import { hasReported } from "./reliability.ts";

showWhenFailed();

if (/\/test\/(fault|hostile)\//.test(expect.getState().testPath ?? "")) {
  afterEach(() => {
    if (!hasReported())
      throw new Error("No counts: every test of test/fault and test/hostile must call `reportCounts`.");
  });
}
