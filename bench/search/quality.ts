/** Recall@5: the share of questions with an answer among the first five memories. */
import type { Client } from "pg";
import { corpora, type Kind, type Question } from "./corpus.ts";
import { leaseRun } from "./leased-run.ts";
import { ourSearch, plainSearch } from "./searches.ts";

export type Answered = { question: Question; language: string; plain: boolean; ours: boolean };

export async function measureQuality(admin: Client, runner: Client): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const { language, memories, questions } of corpora) {
    const leased = await leaseRun(admin, runner, language, language);
    const names = new Map<string, string>();
    for (const { name, kind, subject, value } of memories) {
      const { rows } = await admin.query<{ id: string }>(
        `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
         values ($1, 'organisation', $2, $3, $4, 'member', 'bench') returning id`,
        [leased.organisation, kind, subject, value],
      );
      names.set(rows[0]?.id ?? "", name);
    }
    for (const question of questions) {
      const unknown = question.answers.filter((name) => ![...names.values()].includes(name));
      if (unknown.length > 0) throw new Error(`The corpus has no memory called ${unknown.join(", ")}.`);
      const isHit = (ids: string[]) => ids.some((id) => question.answers.includes(names.get(id) ?? ""));
      answered.push({
        question,
        language,
        plain: isHit(await plainSearch(admin, leased.organisation, language, question.text)),
        ours: isHit(await ourSearch(runner, leased, question.text)),
      });
    }
  }
  return answered;
}

const kinds: Kind[] = ["plain", "other form", "synonym", "distractors", "typo"];

/** The questions used for tuning and the test set, side by side. */
export function qualityTable(answered: Answered[]): string {
  const share = (of: Answered[], by: "plain" | "ours") =>
    of.length === 0 ? "" : (of.filter((each) => each[by]).length / of.length).toFixed(2);
  const row = (label: string, of: Answered[]) => {
    const tuning = of.filter(({ question }) => !question.isTest);
    const testSet = of.filter(({ question }) => question.isTest);
    const cells = [tuning, testSet].flatMap((part) => [part.length, share(part, "plain"), share(part, "ours")]);
    return `| ${[label, ...cells].join(" | ")} |`;
  };
  return [
    "| recall@5 | tuning set | full-text search | ours | test set | full-text search | ours |",
    "|---|--:|--:|--:|--:|--:|--:|",
    ...kinds.map((kind) =>
      row(
        kind,
        answered.filter(({ question }) => question.kind === kind),
      ),
    ),
    ...["english", "german", "french"].map((language) =>
      row(
        language,
        answered.filter((each) => each.language === language),
      ),
    ),
    row("**all**", answered),
  ].join("\n");
}
