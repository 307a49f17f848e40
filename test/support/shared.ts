/** What the test files of a process share, such as a browser: started by the first file that needs it. */
const closers: (() => Promise<void>)[] = [];

/** Returns a function that starts it at its first call, and always returns the same. It is closed after the last file. */
export function shared<T>(start: () => Promise<T>, close: (started: T) => Promise<unknown>): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => {
    started ??= start().then((it) => {
      if (closers.length === 0) exitAtEnd();
      closers.push(async () => void (await close(it)));
      return it;
    });
    return started;
  };
}

/** If jest runs the files in its main process. Other processes exit. */
export async function closeShared(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}

/** Jest stops listening to its main process after the last file, and kills a process that has not ended 0.5 s later. */
function exitAtEnd(): void {
  if (!process.send) return; // Jest runs the files in its main process, and global-teardown.ts closes.
  process.on("removeListener", (event) => {
    if (event === "message" && process.listenerCount("message") === 0) process.exit();
  });
}
