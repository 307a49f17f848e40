/** Model of invitations, seats and acceptance. (docs/specification/invitations.md) */
import fc from "fast-check";
import { at, type Do, type Model } from "./model.ts";

type Invitation = { address: number; role: string; state: "open" | "accepted" | "revoked" | "expired" };
type Invitations = { isPaying: boolean; invitations: Invitation[] };

export type InvitationAction =
  | Do<"pay", { isPaying: boolean }>
  | Do<"invite", { address: number; role: string }>
  | Do<"resend" | "revoke" | "expire" | "accept", { invitation: number }>;

export const maxOpen = 3;
export const seats = 4;
const addresses = 5;

const inState = ({ invitations }: Invitations, state: string) => invitations.filter((each) => each.state === state);
const has = (state: Invitations, address: number, wanted: string) =>
  inState(state, wanted).some((each) => each.address === address);

/** What every invitation that takes a seat meets, in this order. */
function refusal(state: Invitations, address: number): string | undefined {
  if (!state.isPaying) return "402 billing_inactive";
  if (has(state, address, "accepted")) return "409 member_exists";
  if (has(state, address, "open")) return "409 invitation_open";
  const open = inState(state, "open").length;
  if (open >= maxOpen) return "429 limit_open_invitations";
  if (1 + inState(state, "accepted").length + open >= seats) return "429 limit_seats"; // with the owner
  return undefined;
}

export const invitationsModel: Model<Invitations, InvitationAction> = {
  start: () => ({ isPaying: true, invitations: [] }),
  actions: fc.oneof(
    { weight: 1, arbitrary: fc.record({ do: fc.constant("pay" as const), isPaying: fc.boolean() }) },
    {
      weight: 4,
      arbitrary: fc.record({
        ...{ do: fc.constant("invite" as const), address: fc.nat(addresses - 1) },
        role: fc.constantFrom("admin", "member"),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constantFrom(...(["resend", "revoke", "expire", "accept"] as const)),
        invitation: fc.nat(5),
      }),
    },
  ),
  applies: ({ invitations }, action) => action.do === "pay" || action.do === "invite" || invitations.length > 0,
  next(state, action) {
    if (action.do === "pay") {
      state.isPaying = action.isPaying;
      return "done";
    }
    if (action.do === "invite") {
      const refused = refusal(state, action.address);
      if (!refused) state.invitations.push({ address: action.address, role: action.role, state: "open" });
      return refused ?? "201";
    }
    const chosen = at(state.invitations, action.invitation);
    if (action.do === "expire") {
      if (chosen.state === "open") chosen.state = "expired";
      return "done";
    }
    if (action.do === "accept") {
      if (chosen.state === "open") chosen.state = "accepted"; // needs neither payment nor a free seat
      return chosen.state;
    }
    if (action.do === "resend" && !state.isPaying) return "402 billing_inactive";
    if (chosen.state === "accepted") return "409 invitation_accepted";
    if (action.do === "revoke") {
      chosen.state = "revoked";
      return "200";
    }
    if (chosen.state === "revoked") return "409 invitation_revoked";
    if (chosen.state === "open") return "200"; // it keeps its seat
    const refused = refusal(state, chosen.address);
    if (!refused) chosen.state = "open";
    return refused ?? "200";
  },
  shown: ({ invitations }) => invitations.map(({ role, state }) => `${role} ${state}`),
};
