import { stopCluster } from "./cluster.ts";
import { closeShared } from "./shared.ts";
import { removeTemporaryFolder } from "./temporary-folder.ts";

export default async () => {
  await closeShared();
  await stopCluster();
  removeTemporaryFolder();
};
