/**
 * What a file of tests opened and did not close, as when what it was to be a part of did not come up: closed after its tests,
 * the last first, since it may stand on those before it.
 */
const open = new Set<() => Promise<void>>();

afterAll(async () => {
  const failures: unknown[] = [];
  for (const close of [...open].toReversed()) await close().catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}, 60_000);

/** Called before what is to be closed can fail. Answers how to close it, which happens once however often it is asked for. */
export function closing(close: () => unknown): () => Promise<void> {
  let closed: Promise<void> | undefined;
  const once = () => {
    open.delete(once);
    closed ??= (async () => void (await close()))();
    return closed;
  };
  open.add(once);
  return once;
}
