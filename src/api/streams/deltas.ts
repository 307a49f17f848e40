/**
 * Deltas: pieces of an answer that an executor is writing. They come by NOTIFY and are passed on, to streams that want them and
 * whose key may read the conversation. (docs/specification/runs.md#deltas)
 */
import { accessTo, type Notifications } from "./notifications.ts";
import type { Gate, Reader, Watcher } from "./reader.ts";

/** Of one run to one stream. Executors send fewer; what exceeds it is missing, as the offset of the next delta shows. */
const maxPerSecond = 20;

/** @param send gets the JSON of a delta. @returns a function that ends it */
export function followDeltas(
  watcher: Watcher,
  gate: Gate,
  { notifications, reader }: { notifications: Notifications; reader: Reader },
  send: (delta: string) => void,
): () => void {
  const { runId, organisationId } = watcher;
  let [second, sent] = [0, 0];
  const pass = (delta: string | undefined) => {
    if (delta === undefined || !gate.isOpen || !watcher.hasRoom()) return;
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) [second, sent] = [now, 0];
    sent += 1;
    if (sent <= maxPerSecond) send(delta);
  };
  const check = () => {
    gate.isOpen = false;
    gate.changes += 1;
    reader.requestRead(watcher);
  };
  const subscriptions = [
    notifications.subscribe(accessTo(organisationId ?? ""), check),
    notifications.subscribe(`delta ${runId}`, pass),
  ];
  check(); // a change before the subscription was missed
  return () => {
    for (const end of subscriptions) end();
  };
}
