/** All suites. Node loads the TypeScript files as they are. See docs/decisions/0025-tests.md. */
export default {
  testEnvironment: "<rootDir>/test/support/jest/environment.ts",
  testRunner: "<rootDir>/test/support/jest/runner.ts",
  transform: {},
  modulePathIgnorePatterns: ["/\\.packages-"], // tools/packages.ts installs there while tests run
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  globalSetup: "<rootDir>/test/support/global-setup.ts",
  setupFilesAfterEnv: ["<rootDir>/test/support/set-up.ts"],
  globalTeardown: "<rootDir>/test/support/global-teardown.ts",
  reporters: ["default", "<rootDir>/test/support/jest/processor-time.ts"],
  testSequencer: "<rootDir>/test/support/longest-first.ts",
  maxWorkers: 5, // more than the two cores of CI, because tests often wait
  testTimeout: 600_000, // ms; only a test that hangs takes so long, also on a slow machine
};
