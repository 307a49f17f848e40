import { type KeyAction, maxLiveKeys } from "../keys.ts";
import { at, type Product } from "../model.ts";
import { openTenant, type Place } from "./place.ts";

export async function openKeys(place: Place): Promise<Product<KeyAction>> {
  const { call, sql } = await openTenant(place, { liveKeys: maxLiveKeys });
  const keys: { id: string; key: string }[] = [];
  async function made(path: string, body: object): Promise<string> {
    const answer = await call("POST", path, body);
    if (answer.said === "201") keys.push(answer.body);
    return answer.said;
  }
  return {
    async perform(action) {
      if (action.do === "create") return made("/keys", { name: "made", scope: action.scope });
      const { id, key } = at(keys, action.key);
      if (action.do === "rotate") return made(`/keys/${id}/rotate`, { overlapHours: action.overlapHours });
      if (action.do === "revoke") return (await call("DELETE", `/keys/${id}`)).said;
      if (action.do === "use") return (await call("GET", "/me", undefined, key)).said;
      await sql("update app.api_keys set expires_at = least(expires_at, now()) where id = $1", [id]);
      return "done";
    },
    async shown() {
      const { data } = (await call("GET", "/keys?limit=50")).body;
      const now = new Date().toISOString();
      return keys.map(({ id }) => {
        const row = data.find((each: { id: string }) => each.id === id);
        return `${row.scope} ${row.revokedAt ? "revoked" : row.expiresAt <= now ? "expired" : "live"} ${row.usable}`;
      });
    },
  };
}
