import { setProductionDefaults } from "../../src/config.ts";
import { builtFolder } from "../../src/web/front/built.ts";
import { startCluster } from "./cluster.ts";
import { setTemporaryFolder } from "./temporary-folder.ts";

export default async () => {
  setProductionDefaults(); // for the packages of the console, which test files start in their own process
  setTemporaryFolder();
  await builtFolder(); // once, and not in each test file at the same time
  await startCluster();
};
