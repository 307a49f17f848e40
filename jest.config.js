/** Jest runs TypeScript as ES modules, as Node does; swc strips the types. See docs/decisions.md, "Tests". */
export default {
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2024" }, module: { type: "es6" } },
    ],
  },
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  globalSetup: "<rootDir>/test/support/global-setup.ts",
  setupFilesAfterEnv: ["<rootDir>/test/support/told.ts"],
  globalTeardown: "<rootDir>/test/support/global-teardown.ts",
  maxWorkers: 4, // of two cores: much of what they do is to wait
  testTimeout: 90_000, // more than a test waits for transactions of other files
};
