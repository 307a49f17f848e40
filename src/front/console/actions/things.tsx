/** Operator actions on parts of an organisation: endpoints, runs, keys, invitations, approvals. */
import type { Action } from "./action.ts";

const resume: Action = {
  name: "resumeEndpoint",
  title: "Resume",
  consequence: "Deliveries start again, and the count of failures is reset. Missed events are not sent automatically.",
  done: () => "The endpoint is active.",
};

const disable: Action = {
  name: "disableEndpoint",
  title: "Disable",
  consequence: "Stops all deliveries and fails the pending ones. Owners and admins get an email.",
  dangerous: true,
  done: () => "The endpoint is disabled.",
};

const recover: Action = {
  name: "recoverDeliveries",
  title: "Recover deliveries",
  consequence: "Sends missed deliveries again, in batches. Repeat it until nothing is left.",
  fields: [
    {
      kind: "choice",
      name: "include",
      label: "What",
      options: [
        ["failed", "Failed deliveries"],
        ["missing", "Events without a delivery"],
      ],
    },
    { kind: "moment", name: "since", label: "From" },
    { kind: "moment", name: "until", label: "Until", hint: "Empty: now", optional: true },
  ],
  done: ({ recovered, hasMore }) => `Recovered: ${recovered}.${hasMore ? " More remains: repeat the action." : ""}`,
};

const cancel: Action = {
  name: "cancelRun",
  title: "Cancel the run",
  consequence: "Ends the run. Its effects so far remain.",
  dangerous: true,
  done: ({ state }) => `The run is ${state}.`,
};

const release: Action = {
  name: "releaseRun",
  title: "Release the run",
  consequence: "Takes the run from its stuck executor, so that another executor can lease it.",
  done: ({ state }) => `The run is ${state}.`,
};

export const revokeKey: Action = {
  name: "revokeKey",
  title: "Revoke",
  consequence: "Requests with this key are refused from now on, for good.",
  dangerous: true,
  done: () => "The key is revoked.",
};

export const mintKey: Action = {
  name: "mintKey",
  title: "Mint a key",
  consequence: "For an organisation that has lost its last key. Requests with the key act as this person.",
  fields: [
    { kind: "text", name: "name", label: "Name" },
    {
      kind: "choice",
      name: "scope",
      label: "Scope",
      options: [
        ["admin", "admin"],
        ["write", "write"],
        ["read", "read"],
      ],
    },
    { kind: "number", name: "days", label: "Days until expiry", min: 1, max: 365 },
  ],
  oneTime: ({ key }) => ({
    text: "Only this dialog shows the key. Give it to the person now.",
    label: "key",
    secret: key,
  }),
};

export const resendInvitation: Action = {
  name: "resendInvitation",
  title: "Send again",
  consequence: "Sends a new link that is valid for seven days. The old link stops working.",
  done: () => "The email is queued.",
};

const answers: [approve: boolean, title: string][] = [
  [true, "Approve"],
  [false, "Refuse"],
];

/** Only an operator can answer an expired approval, on behalf of its person. */
export const answerApproval: Action[] = answers.map(([approve, title]) => ({
  name: "answerApproval",
  title,
  consequence: "Counts as that person's answer. The waiting run continues.",
  constants: { approve },
  done: ({ state }) => `The approval is ${state}.`,
}));

export const viewAs: Action = {
  name: "viewAs",
  title: "View as",
  consequence:
    "Opens the portal as this person, read-only, for 30 minutes. The organisation sees it in its audit log, with your reason.",
  oneTime: ({ url }) => ({
    text: "The link works once and within 5 minutes.",
    label: "link",
    secret: url,
    linkText: "Open the portal",
  }),
};

/** Only an active endpoint can recover deliveries. */
export const endpointActions = ({ state, deletedAt }: { state: string; deletedAt: string | null }): Action[] => {
  if (deletedAt) return [];
  return state === "active" ? [recover, disable] : state === "paused" ? [resume, disable] : [resume];
};

export const runActions = ({ state }: { state: string }): Action[] => {
  if (["completed", "failed", "cancelled"].includes(state)) return [];
  return state === "running" ? [release, cancel] : [cancel];
};
