/** Event kinds with their summaries. Separate from the schemas, because pages and the command line do not load zod. */

/** Stored and sent whether an endpoint subscribes to the kind or not. */
const always = { isSubscribable: true, isOptIn: false } as const;
/** Stored only while an endpoint subscribes to the kind. (docs/specification/events.md#opt-in) */
const optIn = { isSubscribable: true, isOptIn: true } as const;
/** Sent to an endpoint on request. */
const onRequest = { isSubscribable: false, isOptIn: false } as const;

/** Pages show the kinds in this order. */
export const eventKinds = {
  "approval.needed": { summary: "A run needs an approval", ...always },
  "audit_stream.disabled": { summary: "The stream of the audit log is disabled", ...optIn },
  "endpoint.disabled": { summary: "An endpoint is disabled", ...optIn },
  "invitation.accepted": { summary: "An invitation was accepted", ...optIn },
  "key.created": { summary: "An API key was created", ...optIn },
  "key.expiring": { summary: "An API key will expire soon", ...optIn },
  "key.revoked": { summary: "An API key was revoked", ...optIn },
  "member.added": { summary: "A member has joined", ...optIn },
  "member.removed": { summary: "A member was removed", ...optIn },
  "member.role_changed": { summary: "The role of a member has changed", ...optIn },
  "memory.created": { summary: "A memory was created", ...optIn },
  "memory.deleted": { summary: "A memory was deleted", ...optIn },
  "memory.updated": { summary: "A memory was changed", ...optIn },
  "organisation.deletion_cancelled": { summary: "The deletion of the organisation is cancelled", ...optIn },
  "organisation.deletion_scheduled": { summary: "The deletion of the organisation is scheduled", ...optIn },
  "organisation.limit_reached": { summary: "A limit of the organisation is reached", ...optIn },
  "run.blocked": { summary: "A run is blocked", ...optIn },
  "run.finished": { summary: "A run has ended", ...always },
  "run.started": { summary: "A run has started", ...optIn },
  "webhook.test": { summary: "A test of an endpoint", ...onRequest },
} as const;

export type EventKind = keyof typeof eventKinds;
export type OptInEventKind = {
  [Kind in EventKind]: (typeof eventKinds)[Kind] extends typeof optIn ? Kind : never;
}[EventKind];
