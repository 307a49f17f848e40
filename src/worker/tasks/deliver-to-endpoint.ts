/** The job that sends the due deliveries of one endpoint. (../deliver.ts) */
import type { Task } from "graphile-worker";
import type { Deliver } from "../deliver.ts";

declare global {
  namespace GraphileWorker {
    interface Tasks {
      deliver_to_endpoint: { organisationId: string; endpointId: string };
    }
  }
}

export const deliverToEndpoint =
  (deliver: Deliver): Task<"deliver_to_endpoint"> =>
  (endpoint, { abortSignal }) =>
    deliver(endpoint, abortSignal);
