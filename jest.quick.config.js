/** `npm test`: all suites except the suites of `npm run test:fault`. */
import all from "./jest.config.js";
import { faultSuites } from "./test/fault-suites.ts";

export default { ...all, testPathIgnorePatterns: faultSuites.map((suite) => `<rootDir>/test/${suite}`) };
