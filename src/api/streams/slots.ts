/**
 * Slots for open requests: requests that wait for a run or stream its events. A slot costs a socket and a few kilobytes,
 * and no database connection. Keys, organisations and the process each have a limit. (docs/specification/runs.md#places)
 */
export type Slots = {
  /** Returns a function that releases the slot; undefined when the key, the organisation or the process is at its limit. */
  acquire(credential: Buffer, organisationId: string | null | undefined): (() => void) | undefined;
  used(): number;
};

export type SlotLimits = {
  perKey: number;
  perProcess: number;
  /**
   * The share of the free slots that one organisation may hold. At 0.1 a single organisation gets a tenth of all slots, and
   * 90 organisations are needed to use up all of them.
   */
  shareOfFree: number;
};

export const defaultSlotLimits: SlotLimits = { perKey: 100, perProcess: 10_000, shareOfFree: 0.1 };

export function makeSlots({ perKey, perProcess, shareOfFree }: SlotLimits = defaultSlotLimits): Slots {
  const keys = new Map<string, number>();
  const organisations = new Map<string, number>();
  let used = 0;
  return {
    used: () => used,
    acquire(credential, organisationId) {
      const key = credential.toString("latin1");
      const organisation = organisationId ?? "";
      const free = perProcess - used;
      if (free <= 0 || count(keys, key) >= perKey || count(organisations, organisation) >= shareOfFree * free) {
        return undefined;
      }
      add(keys, key, 1);
      add(organisations, organisation, 1);
      used += 1;
      return () => {
        add(keys, key, -1);
        add(organisations, organisation, -1);
        used -= 1;
      };
    },
  };
}

const count = (counts: Map<string, number>, owner: string): number => counts.get(owner) ?? 0;

function add(counts: Map<string, number>, owner: string, change: number): void {
  const changed = count(counts, owner) + change;
  if (changed > 0) counts.set(owner, changed);
  else counts.delete(owner);
}
