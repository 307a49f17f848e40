/** Requests that are not complete at their time-out. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { serverTimeouts } from "../../web/listening.ts";

/**
 * Refuses a request that did not arrive in time. A process that was stopped or busy has not read yet what arrived meanwhile, and
 * Node compares the time first. So this reads first. If bytes had arrived, the rest gets another 10 seconds.
 *
 * @param latest the response to the latest request of the connection
 */
export function afterReading(socket: Socket, latest: () => ServerResponse | undefined, refuse: () => void): void {
  const { bytesRead } = socket;
  const before = latest();
  const isHeadMissing = !before || before.req.complete;
  const hasArrived = () => {
    const now = latest();
    return now?.req.complete && (!isHeadMissing || now !== before);
  };
  setImmediate(() => {
    if (socket.destroyed || hasArrived()) return;
    if (socket.bytesRead === bytesRead) return refuse();
    const timeout = setTimeout(() => {
      if (!hasArrived()) refuse();
    }, serverTimeouts.head);
    socket.once("close", () => clearTimeout(timeout));
  });
}
