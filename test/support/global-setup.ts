import { setProductionDefaults } from "../../src/config.ts";
import { builtFolder } from "../../src/web/front/built.ts";
import { startCluster } from "./cluster.ts";
import { setTemporaryFolder } from "./temporary-folder.ts";

export default async () => {
  // Jest's workers inherit them. Without them V8 lets heaps grow to several times what they hold.
  process.execArgv.push("--max-semi-space-size=8", "--heap-growing-percent=50");
  setProductionDefaults(); // for the packages of the console, which test files start in their own process
  setTemporaryFolder();
  await builtFolder(); // once, and not in each test file at the same time
  await startCluster();
};
