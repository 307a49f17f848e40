/** What can be done to what an organisation has: endpoints, runs, keys, invitations, cards. */
import { html } from "../html.ts";
import type { Action } from "./action.ts";

const resume: Action = {
  name: "resumeEndpoint",
  title: "Resume",
  consequence:
    "It is sent to from now on, and its count of failures begins anew. What it missed is not sent by itself.",
  done: () => "It is active.",
};

const disable: Action = {
  name: "disableEndpoint",
  title: "Disable",
  consequence: "Nothing is sent there any more; what waits has failed. Owners and admins are told by mail.",
  dangerous: true,
  done: () => "It is disabled.",
};

const recover: Action = {
  name: "recoverDeliveries",
  title: "Recover deliveries",
  consequence: "What it missed is sent again. With much of it, do it again until nothing is left.",
  fields: [
    {
      kind: "choice",
      name: "include",
      label: "What",
      options: [
        ["failed", "Deliveries that failed"],
        ["missing", "Events of which no delivery was made"],
      ],
    },
    { kind: "moment", name: "since", label: "From, UTC" },
    { kind: "moment", name: "until", label: "Until, UTC", hint: "Empty: until now", optional: true },
  ],
  done: ({ recovered, hasMore }) => `Recovered: ${recovered}.${hasMore ? " There is more: do it again." : ""}`,
};

const cancel: Action = {
  name: "cancelRun",
  title: "Cancel the run",
  consequence: "It ends here. What it has done stays done.",
  dangerous: true,
  done: ({ state }) => `The run is ${state}.`,
};

const release: Action = {
  name: "releaseRun",
  title: "Release the run",
  consequence: "It is taken from the executor that holds it and does not go on, and goes to whoever asks next.",
  done: ({ state }) => `The run is ${state}.`,
};

export const revokeKey: Action = {
  name: "revokeKey",
  title: "Revoke",
  consequence: "Whatever uses it is refused at once, for good.",
  dangerous: true,
  done: () => "The key is revoked.",
};

export const mintKey: Action = {
  name: "mintKey",
  title: "Mint a key",
  consequence: "For an organisation that has lost its last. Whoever has it acts as this person.",
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
    { kind: "number", name: "days", label: "Life in days", least: 1, most: 365 },
  ],
  done: ({ key }) => html`<p>The key, shown this once:</p><p class="secret"><code>${key}</code></p>`,
};

export const resendInvitation: Action = {
  name: "resendInvitation",
  title: "Send again",
  consequence: "A new link goes out, good for seven days; the link of before leads nowhere.",
  done: () => "The mail is on its way.",
};

const answers: [approve: boolean, title: string][] = [
  [true, "Approve"],
  [false, "Refuse"],
];

/** Nobody can answer a card that has expired, but an operator for the person whom it asked. */
export const answerCard: Action[] = answers.map(([approve, title]) => ({
  name: "answerCard",
  title,
  consequence: "It counts as that person's answer, and what waits for it goes on.",
  always: { approve },
  done: ({ state }) => `The card is ${state}.`,
}));

export const viewAs: Action = {
  name: "viewAs",
  title: "View as",
  consequence: "It is written down, and changes nothing.",
  done: () => null,
};

/** Only what is sent to can be sent to again. */
export const endpointActions = ({ state, deletedAt }: { state: string; deletedAt: string | null }): Action[] => {
  if (deletedAt) return [];
  return state === "active" ? [recover, disable] : state === "paused" ? [resume, disable] : [resume];
};

export const runActions = ({ state }: { state: string }): Action[] => {
  if (["completed", "failed", "cancelled"].includes(state)) return [];
  return state === "running" ? [release, cancel] : [cancel];
};
