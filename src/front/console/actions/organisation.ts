/** Operator actions on an organisation. */
import type { Fact } from "../../parts/page.tsx";
import { type Count, count, euros } from "../numbers.ts";
import type { Action, Field } from "./action.ts";
import { retryRuns } from "./retry-runs.tsx";

type Limit = { name: string; position: number; label: string; unit: string; maximum?: Count };

const setLimit = (limits: Limit[]): Action => ({
  name: "setLimit",
  title: "Set a limit",
  consequence: "Applies from now on. Existing items stay, even above a lower limit.",
  fields: [
    {
      kind: "choice",
      name: "name",
      label: "Limit",
      options: limits
        .filter(({ unit }) => unit === "count")
        .toSorted((one, other) => one.position - other.position)
        .map(({ name, label, maximum }) => [name, `${label} (now ${maximum == null ? "no limit" : count(maximum)})`]),
    },
    { kind: "number", name: "maximum", label: "New value", min: 0, max: 1_000_000 },
  ],
  done: ({ maximum }) => `The limit is now ${maximum}.`,
});

const setSpending = (maximum: Count): Action => ({
  name: "setLimit",
  title: "Set the spending limit",
  consequence: "Runs that the monthly limit paused resume as soon as the new limit allows.",
  fields: [
    {
      kind: "euros",
      name: "maximum",
      label: "Euros per month",
      hint: "Empty for no limit",
      present: maximum == null ? null : String(Number(maximum) / 1e8),
      min: 0,
      optional: true,
    },
  ],
  constants: { name: "monthlySpendMicroCents" },
  done: ({ maximum }) => (maximum == null ? "There is now no limit." : `The limit is now ${euros(maximum)} per month.`),
});

const setBilling = ({ billingState, trialEndsAt, seatsBought }: Billing): Action => ({
  name: "setBilling",
  title: "Set billing",
  consequence: "Without a trial or payment, nothing new can start.",
  fields: [
    {
      kind: "choice",
      name: "state",
      label: "State",
      present: billingState,
      options: [
        ["active", "Paying"],
        ["trial", "On trial"],
        ["none", "Neither"],
      ],
    },
    {
      kind: "moment",
      name: "trialEndsAt",
      label: "Trial end",
      hint: "Only for a trial",
      present: billingState === "trial" ? trialEndsAt : null,
      optional: true,
    },
    {
      kind: "number",
      name: "seatsBought",
      label: "Seats bought",
      hint: "Empty: not counted",
      present: seatsBought == null ? null : String(seatsBought),
      min: 1,
      optional: true,
    },
  ],
  done: ({ state }) => `Billing is now ${state}.`,
});

const suspend: Action = {
  name: "suspendOrganisation",
  title: "Suspend",
  consequence: "Refuses its keys and posts to hooks, and its runs wait, until the suspension is lifted.",
  dangerous: true,
  done: () => "The organisation is suspended.",
};

const lift: Action = {
  name: "liftSuspension",
  title: "Lift the suspension",
  consequence: "Keys, hooks and runs work again.",
  done: () => "The suspension is lifted.",
};

const scheduleDeletion: Action = {
  name: "scheduleOrganisationDeletion",
  title: "Schedule the deletion",
  consequence:
    "Deletes the organisation with all its data after the wait. Until then it works as before, and its owners get an email.",
  dangerous: true,
  fields: [{ kind: "number", name: "waitDays", label: "Days to wait", present: "30", min: 7, max: 90 }],
  done: ({ deletionAt }) => `The organisation will be deleted at ${deletionAt}.`,
};

const cancelDeletion: Action = {
  name: "cancelOrganisationDeletion",
  title: "Cancel the deletion",
  consequence: "The organisation stays. Its owners get an email.",
  done: () => "The deletion is cancelled.",
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

const restrictKind = (present: Fact[]): Action => ({
  present,
  name: "restrictKind",
  title: "Restrict a kind",
  consequence: "Forbids new memories of this kind about third parties. Existing ones stay.",
  fields: [kind],
  done: (result) => `Restricted: ${result.kind}.`,
});

const allowKind = (present: Fact[]): Action => ({
  present,
  name: "allowKind",
  title: "Allow a kind",
  consequence: "Allows memories of this kind about third parties.",
  fields: [kind],
  done: (result) => `Allowed: ${result.kind}.`,
});

type Billing = { billingState: string; trialEndsAt: string | null; seatsBought: number | null };
type Organisation = Billing & {
  suspendedAt: string | null;
  deletionAt: string | null;
  limits: { nodes: Limit[] };
  restrictions: { nodes: { kind: string }[] };
};

const restrictedNow = ({ restrictions }: Organisation): Fact[] => [
  ["Restricted now", restrictions.nodes.map(({ kind }) => kind).join(", ") || "None"],
];

export const organisationActions = (organisation: Organisation): Action[] => [
  ...(organisation.suspendedAt ? [lift] : []),
  ...(organisation.deletionAt ? [cancelDeletion] : []),
  setLimit(organisation.limits.nodes),
  setSpending(organisation.limits.nodes.find(({ unit }) => unit === "micro-cents")?.maximum),
  setBilling(organisation),
  restrictKind(restrictedNow(organisation)),
  allowKind(restrictedNow(organisation)),
  retryRuns,
  eraseSubject,
  ...(organisation.suspendedAt ? [] : [suspend]),
  ...(organisation.deletionAt ? [] : [scheduleDeletion]),
];
