/** Recall@5: of the questions with known answers, how many are answered among the first five claims recalled. */
import type { Client } from "pg";
import { corpora, type Question, type Sort } from "./corpus.ts";
import { plain, recall, startWorking } from "./house.ts";

export type Answered = { question: Question; language: string; plain: boolean; ours: boolean };

export async function measureQuality(admin: Client, runner: Client): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const { language, claims, questions } of corpora) {
    const working = await startWorking(admin, runner, language, language);
    const names = new Map<string, string>();
    for (const { name, kind, subject, value } of claims) {
      const { rows } = await admin.query<{ id: string }>(
        `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
         values ($1, 'organisation', $2, $3, $4, 'member', 'bench') returning id`,
        [working.organisation, kind, subject, value],
      );
      names.set(rows[0]?.id ?? "", name);
    }
    for (const question of questions) {
      const unknown = question.of.filter((name) => ![...names.values()].includes(name));
      if (unknown.length > 0) throw new Error(`No claim is called ${unknown.join(", ")}.`);
      const right = (ids: string[]) => ids.some((id) => question.of.includes(names.get(id) ?? ""));
      answered.push({
        question,
        language,
        plain: right(await plain(admin, working.organisation, language, question.text)),
        ours: right(await recall(runner, working, question.text)),
      });
    }
  }
  return answered;
}

const sorts: Sort[] = ["plain", "other form", "in other words", "among distractors", "slip of the pen"];

/** Tuned on, and held out, side by side. */
export function qualityTable(answered: Answered[]): string {
  const share = (of: Answered[], by: "plain" | "ours") =>
    of.length === 0 ? "" : (of.filter((each) => each[by]).length / of.length).toFixed(2);
  const row = (label: string, of: Answered[]) => {
    const seen = of.filter(({ question }) => !question.held);
    const held = of.filter(({ question }) => question.held);
    const cells = [seen, held].flatMap((part) => [part.length, share(part, "plain"), share(part, "ours")]);
    return `| ${[label, ...cells].join(" | ")} |`;
  };
  return [
    "| recall@5 | questions | plain full text | ours | held out | plain full text | ours |",
    "|---|--:|--:|--:|--:|--:|--:|",
    ...sorts.map((sort) =>
      row(
        sort,
        answered.filter(({ question }) => question.sort === sort),
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
