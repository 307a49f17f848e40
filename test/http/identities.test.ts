/** Identities that a process caches. (src/api/limits/identities.ts) */
import { makeIdentities } from "../../src/api/stages/authenticate.ts";

const identity = { keyId: "key", organisationId: "organisation" };
const here = "192.0.2.1";
const credential = (number: number) => Buffer.from([number]);

test("The use of a key is due at its first call, and a minute after a call that noted it", () => {
  let now = 0;
  const identities = makeIdentities(10, () => now);
  const isDue = () => identities.isUseDue(identities.get(credential(1), here));
  expect(isDue()).toBe(true); // unknown
  identities.store(credential(1), here, identity);
  expect(isDue()).toBe(true);
  expect(isDue()).toBe(true); // the call may have failed
  identities.useNoted(credential(1), here);
  identities.store(credential(1), here, { ...identity, isFull: true });
  now = 59_999;
  expect(isDue()).toBe(false);
  now = 60_000;
  expect(isDue()).toBe(true);
});

test("A rejected credential is forgotten, with the use of its key", () => {
  const identities = makeIdentities();
  identities.store(credential(1), here, identity);
  identities.useNoted(credential(1), here);
  identities.forget(credential(1), here);
  identities.useNoted(credential(1), here);
  expect(identities.get(credential(1), here)).toBeUndefined();
  expect(identities.isUseDue(identities.store(credential(1), here, identity))).toBe(true);
});

test("The oldest identity is forgotten when there are too many", () => {
  const identities = makeIdentities(2);
  for (const number of [1, 2, 3]) identities.store(credential(number), here, identity);
  expect([1, 2, 3].map((number) => identities.get(credential(number), here) !== undefined)).toEqual([
    false,
    true,
    true,
  ]);
});

test("A credential is known per address, and stale a minute after it was learned", () => {
  let now = 0;
  const identities = makeIdentities(10, () => now);
  const stored = identities.store(credential(1), here, identity);
  expect(identities.get(credential(1), "192.0.2.2")).toBeUndefined();
  expect(identities.get(credential(1), undefined)).toBeUndefined();
  now = 59_999;
  expect(identities.isStale(stored)).toBe(false);
  now = 60_000;
  expect(identities.isStale(stored)).toBe(true);
  expect(identities.isStale(identities.store(credential(1), here, identity))).toBe(false);
});
