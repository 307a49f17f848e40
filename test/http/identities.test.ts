/** What a process remembers of credentials. (src/http/limits/identities.ts) */
import { makeIdentities } from "../../src/http/limits/identities.ts";

const identity = { keyId: "key", organisationId: "organisation" };
const credential = (number: number) => Buffer.from([number]);

test("The use of a key is due at its first call, and a minute after a call that noted it", () => {
  let now = 0;
  const identities = makeIdentities(10, () => now);
  const isDue = () => identities.isUseDue(identities.get(credential(1)));
  expect(isDue()).toBe(true); // unknown
  identities.store(credential(1), identity);
  expect(isDue()).toBe(true);
  expect(isDue()).toBe(true); // the call may have failed
  identities.useNoted(credential(1));
  identities.store(credential(1), { ...identity, isFull: true });
  now = 59_999;
  expect(isDue()).toBe(false);
  now = 60_000;
  expect(isDue()).toBe(true);
});

test("A rejected credential is forgotten, with the use of its key", () => {
  const identities = makeIdentities();
  identities.store(credential(1), identity);
  identities.useNoted(credential(1));
  identities.forget(credential(1));
  identities.useNoted(credential(1));
  expect(identities.get(credential(1))).toBeUndefined();
  expect(identities.isUseDue(identities.store(credential(1), identity))).toBe(true);
});

test("The oldest identity is forgotten when there are too many", () => {
  const identities = makeIdentities(2);
  for (const number of [1, 2, 3]) identities.store(credential(number), identity);
  expect([1, 2, 3].map((number) => identities.get(credential(number)) !== undefined)).toEqual([false, true, true]);
});
