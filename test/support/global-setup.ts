import { setProductionDefaults } from "../../src/config.ts";
import { startCluster } from "./cluster.ts";
import { setTemporaryFolder } from "./temporary-folder.ts";

export default async () => {
  setProductionDefaults(); // for the packages of the console, which test files start in their own process
  setTemporaryFolder();
  await startCluster();
};
