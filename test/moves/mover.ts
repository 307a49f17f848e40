/**
 * A process that moves an organisation, as `botstead organisation move` does, and writes the name of each step before it
 * begins. Its argument is a Task as JSON. At `waitAt` it stays, for a test that kills it there.
 */
import { administerDirectory, placeOrganisations } from "../../src/cells/directory/administration.ts";
import { type Options, resumeMove, type Step, startMove } from "../../src/cells/moves/move.ts";

export type Task = Omit<Options, "note" | "route" | "onStep"> & {
  directoryUrl: string;
  isResumed: boolean;
  waitAt?: Step | undefined;
};

const { directoryUrl, isResumed, waitAt, ...cells } = JSON.parse(process.argv[2] ?? "") as Task;
await (isResumed ? resumeMove : startMove)({
  ...cells,
  async route() {
    const directory = await administerDirectory(directoryUrl);
    await placeOrganisations(directory, [cells.organisation], cells.to).finally(() => directory.end());
  },
  onStep(step) {
    process.stdout.write(`${step}\n`);
    return step === waitAt ? new Promise(() => {}) : undefined;
  },
});
