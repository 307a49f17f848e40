import { stopCluster } from "./cluster.ts";

export default stopCluster;
