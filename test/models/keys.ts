/** Model of API keys. (docs/specification/keys.md) */
import fc from "fast-check";
import { at, type Do, type Model } from "./model.ts";

type Key = { scope: string; isRevoked: boolean; isRotated: boolean; isExpired: boolean };
/** The calling key counts, and is not in the list. */
type Keys = { keys: Key[] };

export type KeyAction =
  | Do<"create", { scope: string }>
  | Do<"revoke" | "expire" | "use", { key: number }>
  | Do<"rotate", { key: number; overlapHours: number }>;

export const maxLiveKeys = 4;

const isLive = ({ isRevoked, isExpired }: Key) => !isRevoked && !isExpired;
const stateOf = ({ isRevoked, isExpired }: Key) => (isRevoked ? "revoked" : isExpired ? "expired" : "live");
const live = ({ keys }: Keys) => 1 + keys.filter(isLive).length;
const key = fc.nat(5);

export const keysModel: Model<Keys, KeyAction> = {
  start: () => ({ keys: [] }),
  actions: fc.oneof(
    fc.record({ do: fc.constant("create" as const), scope: fc.constantFrom("read", "write", "admin") }),
    fc.record({ do: fc.constantFrom("revoke" as const, "expire" as const, "use" as const), key }),
    fc.record({ do: fc.constant("rotate" as const), key, overlapHours: fc.constantFrom(0, 24) }),
  ),
  applies: ({ keys }, action) => action.do === "create" || keys.length > 0,
  next(state, action) {
    if (action.do === "create") {
      if (live(state) >= maxLiveKeys) return "429 limit_keys";
      state.keys.push({ scope: action.scope, isRevoked: false, isRotated: false, isExpired: false });
      return "201";
    }
    const chosen = at(state.keys, action.key);
    if (action.do === "use") return isLive(chosen) ? "200" : "401";
    if (action.do === "revoke") {
      chosen.isRevoked = true; // again: 200 with the first time
      return "200";
    }
    if (action.do === "expire") {
      chosen.isExpired = true;
      return "done";
    }
    if (chosen.isRevoked) return "409 key_revoked";
    if (chosen.isRotated) return "409 key_rotated";
    if (chosen.isExpired) return "409 key_expired";
    const makesRoom = action.overlapHours === 0;
    if (live(state) - (makesRoom ? 1 : 0) >= maxLiveKeys) return "429 limit_keys";
    chosen.isRotated = true;
    chosen.isExpired = makesRoom;
    state.keys.push({ scope: chosen.scope, isRevoked: false, isRotated: false, isExpired: false });
    return "201";
  },
  shown: ({ keys }) => keys.map((each) => `${each.scope} ${stateOf(each)} ${isLive(each)}`),
};
