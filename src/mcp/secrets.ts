/** Marks secrets in results, with a hint where to keep them: a model repeats what it reads. (docs/mcp.md) */
import type { Operation, SecretKind } from "../contract/operation.ts";

export type MarkedSecret = { path: string; hint: string };

const never = "Do not repeat it in a chat, a log, code or a commit.";

const marks: Record<SecretKind, MarkedSecret | undefined> = {
  "api-key": {
    path: "body.key",
    hint:
      "An API key that only this result shows. Write it at once to a secret store, or to a file that only its user can read. " +
      `Pass it to programs as an environment variable. ${never}`,
  },
  "signing-secret": {
    path: "body.secret",
    hint:
      "A signing secret that only this result shows. Write it at once to the secret store of the program that verifies or " +
      `signs posts. ${never}`,
  },
  "portal-link": {
    path: "body.url",
    hint:
      "A link that signs its person in, once and within 5 minutes. Pass it only to the browser of this person. " +
      "Do not repeat it in a log or open it yourself.",
  },
  "invitation-token": undefined, // mailed, in no result
};

export function secretsOf({ secret }: Operation): MarkedSecret[] {
  const mark = secret && marks[secret];
  return mark ? [mark] : [];
}
