/**
 * Places for requests that are held open, because they wait for a run or watch it. One costs a socket and a few
 * kilobytes and no connection to the database; these ceilings keep it bounded all the same.
 */
export type Places = {
  /** Answers how to give the place back, or undefined when there is none left. */
  take(credential: Buffer): (() => void) | undefined;
  /** How many are. */
  taken(): number;
};

export type Most = { ofKey: number; ofProcess: number };

export const most: Most = { ofKey: 100, ofProcess: 10_000 };

export function makePlaces({ ofKey, ofProcess }: Most = most): Places {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    taken: () => all,
    take(credential) {
      const key = credential.toString("latin1");
      const own = taken.get(key) ?? 0;
      if (own >= ofKey || all >= ofProcess) return undefined;
      taken.set(key, own + 1);
      all += 1;
      return () => {
        const left = (taken.get(key) ?? 1) - 1;
        if (left > 0) taken.set(key, left);
        else taken.delete(key);
        all -= 1;
      };
    },
  };
}
