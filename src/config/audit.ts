/** Settings of the checkpoints of the audit log. */
import { z } from "zod";
import { isName, readVerifier, type Verifier } from "../secrets/note-key.ts";
import { parsed } from "./kinds.ts";
import { hostInUrl } from "./network.ts";

export const auditSettings = z.object({
  AUDIT_ORIGIN: z.string().refine(isName, "must be a name without spaces and plus signs").optional(),
  AUDIT_WITNESSES: parsed(readWitnesses).prefault(""),
});

export type AuditConfig = {
  audit: {
    /** The name of the log in its checkpoints and in its public key. */
    origin: string;
    witnesses: { key: Verifier; url: string }[];
  };
};

type Value = z.infer<typeof auditSettings> & { HOST: string; PORT: number; BASE_URL?: string | undefined };

export function auditConfig({ AUDIT_ORIGIN, AUDIT_WITNESSES, BASE_URL, HOST, PORT }: Value): AuditConfig {
  const host = new URL(BASE_URL ?? `http://${hostInUrl(HOST)}:${PORT}`).host;
  return { audit: { origin: AUDIT_ORIGIN ?? `${host}/audit`, witnesses: AUDIT_WITNESSES } };
}

/** "key address, key address". */
function readWitnesses(text: string): AuditConfig["audit"]["witnesses"] {
  const given = text.split(",").map((each) => each.trim());
  return given
    .filter((each) => each !== "")
    .map((each) => {
      const [key = "", url = "", ...rest] = each.split(/\s+/);
      if (rest.length > 0 || !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
        throw new Error("must be public keys of witnesses, each with its http or https address, separated by commas.");
      }
      const verifier = readVerifier(key);
      if (verifier.kind !== 4) throw new Error("must have keys of witnesses, not of a log.");
      return { key: verifier, url: url.replace(/\/+$/, "") };
    });
}
