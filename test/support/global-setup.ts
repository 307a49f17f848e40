import { startCluster } from "./cluster.ts";
import { setTemporaryFolder } from "./temporary-folder.ts";

export default async () => {
  setTemporaryFolder();
  await startCluster();
};
