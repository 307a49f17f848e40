/** All suites. Jest runs TypeScript as ES modules, as Node does; swc strips the types. See docs/decisions/0045-tests.md. */
export default {
  testEnvironment: "<rootDir>/test/support/jest/environment.ts",
  runtime: "<rootDir>/test/support/jest/runtime.ts",
  extensionsToTreatAsEsm: [".ts"],
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2024" }, module: { type: "es6" } },
    ],
  },
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  globalSetup: "<rootDir>/test/support/global-setup.ts",
  setupFilesAfterEnv: ["<rootDir>/test/support/log-messages.ts"],
  globalTeardown: "<rootDir>/test/support/global-teardown.ts",
  testSequencer: "<rootDir>/test/support/longest-first.ts",
  maxWorkers: 5, // more than the two cores of CI, because tests often wait
  testTimeout: 600_000, // ms; only a test that hangs takes so long, also on a slow machine
};
