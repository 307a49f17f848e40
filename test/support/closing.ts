/** Resources that a test file left open, for example after a failed set-up. set-up.ts calls `closeOpen` after its tests. */
const open = new Set<() => Promise<void>>();

/** Closes in reverse order, because a later resource may depend on an earlier one. */
export async function closeOpen(): Promise<void> {
  const failures: unknown[] = [];
  for (const close of [...open].toReversed()) await close().catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Registers `close` before the resource can fail. The returned function runs it once, even if called again. */
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
