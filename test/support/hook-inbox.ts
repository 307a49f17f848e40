/** Hooks of a test file, and the runs that their posts started. */
import type { Json, Reply } from "./api.ts";
import type { ApiOfFile, Member } from "./callers.ts";
import type { Posted } from "./sign.ts";

export type Hook = { ada: Member; id: string; secret: string; botId: string };

export function hookInbox(here: ApiOfFile) {
  return {
    /** A hook of the owner of a new organisation. */
    async hook(): Promise<Hook> {
      const ada = await here.owner();
      const botId = (await ada.post("/bots", { name: "Guide" })).body.id;
      const { id, secret } = (await ada.post("/hooks", { botId, name: "Alerts" })).body;
      return { ada, id, secret, botId };
    },
    send: ({ id }: { id: string }, posted: Posted, api = here.api): Promise<Reply<Json>> =>
      api.call("POST", `/hooks/${id}/receive`, { idempotencyKey: null, ...posted }),
    runsOf: async ({ ada }: Hook): Promise<Json[]> => (await ada.get("/runs?limit=200")).body.data,
    saidIn: async ({ ada }: Hook, runId: string): Promise<string[]> =>
      (await ada.get(`/runs/${runId}/messages`)).body.data.map(({ text }: Json) => text),
  };
}
