/** Servers and clients of a test, closed when it ends. */
type Closeable = { close(): Promise<void> };

const opened: Closeable[] = [];

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close(); // the first may serve the others
});

/** Closes this when the current test ends, last opened first. Returns it. */
export function opening<T extends Closeable>(each: T): T {
  opened.push(each);
  return each;
}
