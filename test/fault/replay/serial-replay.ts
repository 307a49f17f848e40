/** Replays a journal call by call against another database, and compares the answers up to ids, times and secrets. */
import type { Made } from "../calls.ts";
import { replay } from "../journal.ts";

export type Names = {
  /** Keys and ids of the journal, with those in the other database. Grows by the ids in the answers. */
  keys: Map<string, string>;
  ids: Map<string, string>;
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const uuids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const time = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** Returns the differences, one sentence each. @param mayLack whether answers may lack fields that the journal has */
export async function replaySerially(url: string, calls: Made[], names: Names, mayLack = false): Promise<string[]> {
  const rename = (text: string) => text.replace(uuids, (id) => names.ids.get(id) ?? id);
  const differences: string[] = [];
  for (const call of calls) {
    const { method, path, key, body, idempotencyKey, answer } = call;
    const { answer: again } = await replay(url, {
      ...{ method, effects: [], path: rename(path), key: names.keys.get(key) ?? "" },
      ...(body && { body: JSON.parse(rename(JSON.stringify(body))) }),
      ...(idempotencyKey && { idempotencyKey }),
    });
    const compared =
      answer?.status === again?.status
        ? compare(JSON.parse(answer?.text ?? ""), JSON.parse(again?.text ?? ""), { ids: names.ids, mayLack }, path)
        : [`${path}: ${again?.status} ${again?.text} in place of ${answer?.status}`];
    differences.push(...compared.map((difference) => `${method} ${difference}`));
  }
  return differences;
}

type Rules = { ids: Map<string, string>; mayLack: boolean };

function compare(was: unknown, is: unknown, rules: Rules, at: string): string[] {
  if (typeof was === "string" && typeof is === "string") {
    return isSameText(was, is, rules, at) ? [] : [`${at}: ${is} in place of ${was}`];
  }
  if (!isObject(was) || !isObject(is))
    return Object.is(was, is) || isUse(at) ? [] : [`${at}: ${is} in place of ${was}`];
  const added = Object.keys(is).filter((name) => !(name in was));
  const missing = rules.mayLack && !Array.isArray(was) ? [] : Object.keys(was).filter((name) => !(name in is));
  return [
    ...[...added, ...missing].map((name) => `${at}.${name} is only in one answer`),
    ...Object.keys(was)
      .filter((name) => name in is)
      .flatMap((name) => compare(was[name], is[name], rules, `${at}.${name}`)),
  ];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Which other clients had committed when a GET counted is not in the journal. */
const isUse = (at: string): boolean => /^\/me\..*\.used$/.test(at);

function isSameText(was: string, is: string, { ids }: Rules, at: string): boolean {
  if (time.test(was)) return time.test(is);
  if (/\.(key|prefix|etag)$/.test(at)) return is.slice(0, 3) === was.slice(0, 3) && is.length === was.length;
  if (!uuid.test(was) || was === is) return was === is;
  const known = ids.get(was);
  if (known === undefined && uuid.test(is)) ids.set(was, is);
  return (known ?? is) === is;
}
