/** The token of an invitation's link is only in its mail (docs/specification/invitations.md#mail). */
import { createHash } from "node:crypto";
import { open } from "../../src/secrets/seal.ts";
import { expectAnswer } from "../support/answers.ts";
import { testApi } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { accept, tokenOf } from "../support/invitations.ts";
import { logEverything, logSince, sizeOfLog, statementsOfSessions, tablesThatContain } from "./search.ts";

const here = apiOfFile();
const hex = (text: string) => Buffer.from(text).toString("hex");

test.each(["made", "sent again", "accepted", "revoked"])(
  "the token of an invitation that was %s is in no response, table, statement or log line",
  async (what) => {
    const ada = await here.owner();
    await logEverything(here.db);
    const start = sizeOfLog(here.db);
    const api = await testApi(here.db);
    const email = `${what.replace(" ", ".")}@example.test`;
    const answers: string[] = [];
    const tokens: string[] = [];
    const ask = async (name: string, method: string, path: string, body?: unknown): Promise<string> => {
      const reply = await api.call(method, path, { key: ada.key.text, body });
      answers.push(reply.text, JSON.stringify([...reply.headers]));
      return expectAnswer(name, reply).id;
    };
    try {
      const id = await ask("create_invitation", "POST", "/invitations", { email });
      tokens.push(await tokenOf(here.db, id));
      if (what === "sent again") {
        await ask("resend_invitation", "POST", `/invitations/${id}/resend`);
        tokens.push(await tokenOf(here.db, id));
      }
      if (what === "accepted") answers.push((await accept(api, tokens[0] ?? "")).html);
      if (what === "revoked") await ask("revoke_invitation", "DELETE", `/invitations/${id}`);
      answers.push((await api.call("GET", "/invitations?status=all", { key: ada.key.text })).text);

      // The search works: it finds the address in every table that has it, and the digest of the token.
      expect(await tablesThatContain(here.db, email)).toEqual(expect.arrayContaining(["app.invitations"]));
      const log = logSince(here.db, start);
      expect(log).toContain(email);
      const [invitation] = await here.db.sql<{ digest: Buffer }>(
        "select token_digest as digest from app.invitations where id = $1",
        [id],
      );
      expect(invitation?.digest).toEqual(
        createHash("sha256")
          .update(tokens.at(-1) ?? "")
          .digest(),
      );
      for (const token of tokens) {
        expect(token).toMatch(/^bsi_[0-9A-Za-z]{49}$/);
        for (const hidden of [token, token.slice(4), token.slice(10, 40)]) {
          expect(await tablesThatContain(here.db, hidden)).toEqual([]);
          expect(await statementsOfSessions(here.db)).not.toContain(hidden);
          expect(log).not.toContain(hidden);
          expect(log).not.toContain(hex(hidden));
          for (const answer of answers) expect(answer).not.toContain(hidden);
        }
      }
    } finally {
      await api.stop();
    }
  },
);

test("the sealed token of a pending mail opens only under the master key and for its purpose", async () => {
  const ada = await here.owner();
  const { id } = expectAnswer("create_invitation", await ada.post("/invitations", { email: "sealed@example.test" }));
  const [mail] = await here.db.sql<{ sealed: Buffer }>(
    "select token_sealed as sealed from app.mails where data ->> 'invitationId' = $1",
    [id],
  );
  const sealed = mail?.sealed ?? Buffer.alloc(0);
  expect(open(here.db.key.invitations, "invitation-token", sealed)).toBe(await tokenOf(here.db, id));
  for (const key of [here.db.key.sealing, here.db.key.invitations]) {
    expect(() => open(key, "webhook-secret", sealed)).toThrow();
  }
});
