/** `.ci/run`: npm test, the fault suites, types, lint, the contract and the client. Exits with 1 if anything failed. */
import { type Check, runCi, type Suite } from "./run.ts";

const npm = (script: string, ...options: string[]) => ["npm", "run", "--silent", script, "--", ...options];

/** One run of both, so that suites that wait share the processors with others until the end. */
const suites: Suite[] = [
  {
    name: "npm test and npm run test:fault",
    command: (report) => npm("test:fault", `--json=${report}`, "--all"),
  },
];

const checks: Check[] = ["typecheck", "lint", "contract", "client:check"].map((script) => ({
  name: `npm run ${script}`,
  command: npm(script),
}));

if (!(await runCi(suites, checks))) process.exitCode = 1;
