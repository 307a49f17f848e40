/** The fields of a memory that requests, answers and filters share. (docs/specification/memories.md#fields) */
import { z } from "zod";

export const scope = z.enum(["organisation", "bot", "member"]);

export const subjectKind = z.enum(["organisation", "member", "third_party"]).meta({
  id: "SubjectKind",
  description: "Whom the claim is about. Of a third party, who is no member, some kinds may not be held at all.",
});
export const confidence = z.number().min(0).max(1);
export const lawfulBasis = z
  .enum(["consent", "contract", "legal_obligation", "vital_interests", "public_task", "legitimate_interests"])
  .meta({ id: "LawfulBasis", description: "On what ground it is held: article 6 of the GDPR." });
export const provenance = z.enum(["member", "run", "import", "run-tainted"]).meta({
  id: "Provenance",
  description:
    "How it came: `member` from a person or their script, `run` from a bot, `import` with a template, `run-tainted` " +
    "from a run that had read what others wrote. It is never raised.",
});
