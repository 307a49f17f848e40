import { stopCluster } from "./cluster.ts";
import { removeTemporaryFolder } from "./temporary-folder.ts";

export default async () => {
  await stopCluster();
  removeTemporaryFolder();
};
