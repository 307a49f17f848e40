/** What can be done to an organisation. */
import { euros } from "../numbers.ts";
import type { Action, Field } from "./action.ts";

const ceilings: [value: string, words: string][] = [
  ["seat_ceiling", "Seats"],
  ["open_invitation_ceiling", "Open invitations"],
  ["live_key_ceiling", "Live keys"],
  ["live_endpoint_ceiling", "Live endpoints"],
  ["hook_ceiling", "Inbound webhooks"],
  ["routine_ceiling", "Routines"],
  ["hourly_run_ceiling", "Runs an hour, by scripts"],
  ["hourly_routine_ceiling", "Runs an hour, by routines"],
  ["hourly_webhook_ceiling", "Runs an hour, by webhooks"],
];

const setLimit: Action = {
  name: "setLimit",
  title: "Set a limit",
  consequence: "It holds from now on. What is there already stays, also above a lower limit.",
  fields: [
    { kind: "choice", name: "ceiling", label: "Limit", options: ceilings },
    { kind: "number", name: "value", label: "New value", least: 0, most: 1_000_000 },
  ],
  done: ({ value }) => `The limit is ${value} now.`,
};

const setSpending: Action = {
  name: "setLimit",
  title: "Set the spending limit",
  consequence: "Runs that were paused by the month's limit go on at once when it is raised far enough.",
  fields: [
    { kind: "euros", name: "value", label: "Euros a month", hint: "Empty for no limit", least: 0, optional: true },
  ],
  always: { ceiling: "monthly_spend_limit_micro_cents" },
  done: ({ value }) => (value == null ? "There is no limit now." : `The limit is ${euros(value)} a month now.`),
};

const setBilling: Action = {
  name: "setBilling",
  title: "Set billing",
  consequence: "Without a trial and without payment nothing new can be begun.",
  fields: [
    {
      kind: "choice",
      name: "state",
      label: "State",
      options: [
        ["active", "It pays"],
        ["trial", "On trial"],
        ["none", "Neither"],
      ],
    },
    { kind: "moment", name: "trialEndsAt", label: "The trial ends, UTC", hint: "With a trial alone", optional: true },
    {
      kind: "number",
      name: "seatsBought",
      label: "Seats bought",
      hint: "Empty: not counted",
      least: 1,
      optional: true,
    },
  ],
  done: ({ state }) => `Its billing is ${state} now.`,
};

const suspend: Action = {
  name: "suspendOrganisation",
  title: "Suspend",
  consequence: "Its keys and inbound webhooks are refused and its runs wait, until that is lifted.",
  dangerous: true,
  done: () => "It is suspended.",
};

const lift: Action = {
  name: "liftSuspension",
  title: "Lift the suspension",
  consequence: "All goes on as it was left.",
  done: () => "It is suspended no longer.",
};

const eraseSubject: Action = {
  name: "eraseSubject",
  title: "Erase a subject",
  consequence: "All that is held about them goes, for good. A receipt stays that names nobody.",
  dangerous: true,
  fields: [
    {
      kind: "choice",
      name: "subjectKind",
      label: "Who they are",
      options: [
        ["third_party", "Somebody outside"],
        ["member", "A member"],
      ],
    },
    { kind: "text", name: "subject", label: "Subject", hint: "As its claims spell it" },
  ],
  done: ({ memories, complete }) =>
    `Erased: ${memories} claims. ${complete ? "The receipt stands under Erasures." : "More is held: erase once more."}`,
};

const kind: Field = { kind: "text", name: "kind", label: "Kind", hint: "As claims have it: salary" };

const restrictKind: Action = {
  name: "restrictKind",
  title: "Restrict a kind",
  consequence: "No claim of this kind is written about people outside. What is held already stays.",
  fields: [kind],
  done: (result) => `Restricted: ${result.kind}.`,
};

const allowKind: Action = {
  name: "allowKind",
  title: "Allow a kind",
  consequence: "Claims of this kind may be held about people outside.",
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
