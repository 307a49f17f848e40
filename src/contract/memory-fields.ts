/** Fields of a memory in requests, responses and filters. (docs/specification/memories.md#fields) */
import { z } from "zod";

export const scope = z.enum(["organisation", "bot", "member"]);

export const subjectKind = z.enum(["organisation", "member", "third_party"]).meta({
  id: "SubjectKind",
  description:
    "Whom or what the memory is about. A third party is not a member; memories of some kinds must not be stored " +
    "about third parties.",
});
export const confidence = z.number().min(0).max(1);
export const lawfulBasis = z
  .enum(["consent", "contract", "legal_obligation", "vital_interests", "public_task", "legitimate_interests"])
  .meta({ id: "LawfulBasis", description: "The lawful basis for storing the memory: article 6 of the GDPR." });
export const provenance = z.enum(["member", "run", "import", "run-tainted"]).meta({
  id: "Provenance",
  description:
    "How the memory was created: `member` by a person or script, `run` by a run, `run-tainted` by a tainted " +
    "run, `import` with a template. It never changes.",
});
