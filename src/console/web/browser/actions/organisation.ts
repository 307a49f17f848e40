/** Operator actions on an organisation. */
import { euros } from "../numbers.ts";
import type { Action, Field } from "./action.ts";

const limits: [value: string, label: string][] = [
  ["seat_limit", "Seats"],
  ["open_invitation_limit", "Open invitations"],
  ["hourly_invitation_limit", "Invitations per hour"],
  ["daily_address_limit", "Invitations to one address per day"],
  ["live_key_limit", "Live keys"],
  ["live_endpoint_limit", "Live endpoints"],
  ["hook_limit", "Inbound webhooks"],
  ["routine_limit", "Routines"],
  ["hourly_run_limit", "Runs per hour, by scripts"],
  ["hourly_routine_limit", "Runs per hour, by routines"],
  ["hourly_webhook_limit", "Runs per hour, by webhooks"],
];

const setLimit: Action = {
  name: "setLimit",
  title: "Set a limit",
  consequence: "Applies from now on. Existing items stay, even above a lower limit.",
  fields: [
    { kind: "choice", name: "name", label: "Limit", options: limits },
    { kind: "number", name: "value", label: "New value", min: 0, max: 1_000_000 },
  ],
  done: ({ value }) => `The limit is now ${value}.`,
};

const setSpending: Action = {
  name: "setLimit",
  title: "Set the spending limit",
  consequence: "Runs that the monthly limit paused resume as soon as the new limit allows.",
  fields: [
    { kind: "euros", name: "value", label: "Euros per month", hint: "Empty for no limit", min: 0, optional: true },
  ],
  constants: { name: "monthly_spend_limit_micro_cents" },
  done: ({ value }) => (value == null ? "There is now no limit." : `The limit is now ${euros(value)} per month.`),
};

const setBilling: Action = {
  name: "setBilling",
  title: "Set billing",
  consequence: "Without a trial or payment, nothing new can start.",
  fields: [
    {
      kind: "choice",
      name: "state",
      label: "State",
      options: [
        ["active", "Paying"],
        ["trial", "On trial"],
        ["none", "Neither"],
      ],
    },
    { kind: "moment", name: "trialEndsAt", label: "Trial end, UTC", hint: "Only for a trial", optional: true },
    {
      kind: "number",
      name: "seatsBought",
      label: "Seats bought",
      hint: "Empty: not counted",
      min: 1,
      optional: true,
    },
  ],
  done: ({ state }) => `Billing is now ${state}.`,
};

const suspend: Action = {
  name: "suspendOrganisation",
  title: "Suspend",
  consequence: "Refuses its keys and inbound webhooks, and its runs wait, until the suspension is lifted.",
  dangerous: true,
  done: () => "The organisation is suspended.",
};

const lift: Action = {
  name: "liftSuspension",
  title: "Lift the suspension",
  consequence: "Keys, inbound webhooks and runs work again.",
  done: () => "The suspension is lifted.",
};

const eraseSubject: Action = {
  name: "eraseSubject",
  title: "Erase a subject",
  consequence: "Deletes all data about the subject for good. A receipt without the name remains.",
  dangerous: true,
  fields: [
    {
      kind: "choice",
      name: "subjectKind",
      label: "Kind of subject",
      options: [
        ["third_party", "A third party"],
        ["member", "A member"],
      ],
    },
    { kind: "text", name: "subject", label: "Subject", hint: "As spelled in its memories" },
  ],
  done: ({ memories, complete }) =>
    `Memories erased: ${memories}. ${complete ? "The receipt is under Erasures." : "Data remains: erase again."}`,
};

const kind: Field = { kind: "text", name: "kind", label: "Kind", hint: "As memories spell it, for example: salary" };

const restrictKind: Action = {
  name: "restrictKind",
  title: "Restrict a kind",
  consequence: "Forbids new memories of this kind about third parties. Existing ones stay.",
  fields: [kind],
  done: (result) => `Restricted: ${result.kind}.`,
};

const allowKind: Action = {
  name: "allowKind",
  title: "Allow a kind",
  consequence: "Allows memories of this kind about third parties.",
  fields: [kind],
  done: (result) => `Allowed: ${result.kind}.`,
};

export const organisationActions = ({ suspendedAt }: { suspendedAt?: string | null }): Action[] => [
  setLimit,
  setSpending,
  setBilling,
  eraseSubject,
  restrictKind,
  allowKind,
  suspendedAt ? lift : suspend,
];
