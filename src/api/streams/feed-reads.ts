/**
 * The reads of live feeds, in turn by organisation. A process runs two at a time, and one of each organisation, so that the
 * streams of one organisation do not delay another's. The other connections of the pool are for requests.
 */
const maxConcurrentReads = 2;

type Waiting = { isWanted(): boolean; start(): void; drop(): void };

export type FeedReads = {
  /** Runs the read when it is the organisation's turn. Returns undefined if it is no longer wanted by then. */
  run<Result>(
    organisationId: string,
    isWanted: () => boolean,
    read: () => Promise<Result>,
  ): Promise<Result | undefined>;
};

export function makeFeedReads(): FeedReads {
  const queues = new Map<string, Waiting[]>(); // in the order of their turns
  const reading = new Set<string>();

  function startNext(): void {
    for (const [organisationId, waiting] of queues) {
      if (reading.size >= maxConcurrentReads) return;
      if (reading.has(organisationId)) continue;
      const next = shiftWanted(waiting);
      queues.delete(organisationId);
      if (waiting.length > 0) queues.set(organisationId, waiting); // behind the others
      if (!next) continue;
      reading.add(organisationId);
      next.start();
    }
  }

  return {
    run: (organisationId, isWanted, read) =>
      new Promise((resolve, reject) => {
        const start = () =>
          void read()
            .then(resolve, reject)
            .finally(() => {
              reading.delete(organisationId);
              startNext();
            });
        const waiting = queues.get(organisationId) ?? [];
        queues.set(organisationId, waiting);
        waiting.push({ isWanted, start, drop: () => resolve(undefined) });
        startNext();
      }),
  };
}

/** The first read that is still wanted. Removes it, and the unwanted reads before it. */
function shiftWanted(waiting: Waiting[]): Waiting | undefined {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (next.isWanted()) return next;
    next.drop();
  }
  return undefined;
}
