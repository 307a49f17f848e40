import { accept, tokenOf } from "../../support/invitations.ts";
import { type InvitationAction, maxOpen, seats } from "../invitations.ts";
import { at, type Product } from "../model.ts";
import { openTenant, type Place } from "./place.ts";

const limits = { openInvitations: maxOpen, seats, invitationsPerHour: null, invitationsPerAddressPerDay: null };
/** Statuses of the page, by state. */
const pages: Record<number, string> = { 200: "accepted", 404: "revoked", 410: "ended" };

export async function openInvitations(place: Place): Promise<Product<InvitationAction>> {
  const { organisation, call, sql } = await openTenant(place, limits);
  const ids: string[] = [];
  const tokens = new Map<string, string>();
  /** As the filter of the list finds them. */
  async function states(): Promise<Map<string, { role: string; state: string }>> {
    const found = new Map();
    for (const state of ["open", "accepted", "revoked", "expired"]) {
      const { data } = (await call("GET", `/invitations?status=${state}&limit=50`)).body;
      for (const { id, role } of data) found.set(id, { role, state });
    }
    return found;
  }
  async function mailed(said: string, id: string): Promise<string> {
    if (said === "201" || said === "200") tokens.set(id, await tokenOf(place.db, id));
    return said;
  }
  return {
    async perform(action) {
      if (action.do === "pay") {
        const state = action.isPaying ? "active" : "none";
        await sql("update app.organisations set billing_state = $2 where id = $1", [organisation.id, state]);
        return "done";
      }
      if (action.do === "invite") {
        const email = `guest${action.address}.${organisation.id}@example.test`;
        const { said, body } = await call("POST", "/invitations", { email, role: action.role });
        if (said === "201") ids.push(body.id);
        return mailed(said, body.id);
      }
      const id = at(ids, action.invitation);
      if (action.do === "resend") return mailed((await call("POST", `/invitations/${id}/resend`)).said, id);
      if (action.do === "revoke") return (await call("DELETE", `/invitations/${id}`)).said;
      if (action.do === "expire") {
        await sql(
          `update app.invitations set expires_at = now()
           where id = $1 and accepted_at is null and revoked_at is null and expires_at > now()`,
          [id],
        );
        return "done";
      }
      const { status } = await accept(place.api, tokens.get(id) ?? "");
      const state = (await states()).get(id)?.state ?? "none";
      return status === 410 && ["revoked", "expired"].includes(state) ? state : (pages[status] ?? `${status}`);
    },
    async shown() {
      const all = await states();
      return ids.map((id) => `${all.get(id)?.role} ${all.get(id)?.state}`);
    },
  };
}
