/** Set-up of every test file: ends what a test or the file left, and requires counts of test/fault and test/hostile. */
import { closeOpen } from "./closing.ts";
import { hasReported } from "./reliability.ts";
import { endTest } from "./test-ends.ts";

afterEach(endTest);
afterAll(closeOpen);

if (/\/test\/(fault|hostile)\//.test(expect.getState().testPath ?? "")) {
  afterEach(() => {
    if (!hasReported())
      throw new Error("No counts: every test of test/fault and test/hostile must call `reportCounts`.");
  });
}
