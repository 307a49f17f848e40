/** How often the turn that answers a question is among the first results, and the processor time of a search. */
import type { Client } from "pg";
import { sessionCpu } from "../cpu.ts";
import { type Conversation, type Question, readConversations } from "./conversations.ts";
import { leaseRun } from "./leased-run.ts";
import { ourSearch, plainSearch } from "./searches.ts";

/** `rank`: the place of the first turn that answers, from 1; Infinity if it is not among the first 20. `cpu`: µs. */
type Result = { rank: number; cpu: number };
type Answered = { conversation: Conversation; plain: Result; ours: Result };

const maximum = 20;

export async function measureConversations(admin: Client, runner: Client, folder: string): Promise<string> {
  const adminCpu = await sessionCpu(admin);
  const runnerCpu = await sessionCpu(runner);
  const answered: Answered[] = [];
  for (const conversation of readConversations(folder)) {
    const language = conversation.language === "japanese" ? "simple" : conversation.language;
    const leased = await leaseRun(admin, runner, conversation.name, language);
    const tags = await insert(admin, leased.organisation, conversation);
    const result = async (question: Question, cpu: () => number, search: () => Promise<string[]>): Promise<Result> => {
      const before = cpu();
      const ids = await search();
      const place = ids.findIndex((id) => question.answers.includes(tags.get(id) ?? ""));
      return { rank: place < 0 ? Number.POSITIVE_INFINITY : place + 1, cpu: cpu() - before };
    };
    for (const [place, question] of conversation.questions.entries()) {
      const searches = {
        plain: () =>
          result(question, adminCpu, () => plainSearch(admin, leased.organisation, language, question.text, maximum)),
        ours: () => result(question, runnerCpu, () => ourSearch(runner, leased, question.text, maximum)),
      };
      // The first search fills caches for the second one, so the order alternates.
      const first = place % 2 ? await searches.plain() : undefined;
      const ours = await searches.ours();
      answered.push({ conversation, plain: first ?? (await searches.plain()), ours });
    }
  }
  return table(answered);
}

/** Each turn a memory: the speaker is the subject. Turns are a minute apart. @returns tags by memory */
async function insert(
  admin: Client,
  organisation: string,
  { turns }: Conversation,
): Promise<Map<string, string | undefined>> {
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.memories (organisation_id, id, scope, kind, subject, value, provenance, source)
     select $1, uuidv7(-make_interval(mins => (cardinality($2::text[]) - place)::integer)), 'organisation', 'said', speaker, said,
       'member', 'bench'
     from unnest($2::text[], $3::text[]) with ordinality turn (speaker, said, place)
     order by place
     returning id`,
    [organisation, turns.map(({ speaker }) => speaker), turns.map(({ text }) => text)],
  );
  // Else each search reads the entries that wait to be merged into the index.
  await admin.query("vacuum (analyze) app.memories");
  return new Map(rows.map(({ id }, place) => [id, turns[place]?.tag]));
}

function table(answered: Answered[]): string {
  const cells = (of: Answered[], by: "plain" | "ours") => {
    const share = (counts: (rank: number) => number) =>
      (of.reduce((sum, each) => sum + counts(each[by].rank), 0) / of.length).toFixed(3);
    const within = (first: number) => share((rank) => (rank <= first ? 1 : 0));
    const cpu = of.map((each) => each[by].cpu).toSorted((a, b) => a - b)[of.length >> 1] ?? 0;
    return [within(5), within(10), within(20), share((rank) => 1 / rank), cpu.toFixed(0)];
  };
  const row = (label: string, of: Answered[], by: "plain" | "ours") =>
    of.length === 0 ? [] : [`| ${[label, of.length, by, ...cells(of, by)].join(" | ")} |`];
  const languages = [...new Set(answered.map(({ conversation }) => conversation.language))];
  return [
    "| conversations | questions | search | first 5 | first 10 | first 20 | MRR | µs, p50 |",
    "|---|--:|---|--:|--:|--:|--:|--:|",
    ...languages.flatMap((language) =>
      [false, true].flatMap((isTest) => {
        const of = answered.filter(
          ({ conversation }) => conversation.language === language && conversation.isTest === isTest,
        );
        const label = `${language}, ${isTest ? "test" : "tuning"}`;
        return [...row(label, of, "plain"), ...row(label, of, "ours")];
      }),
    ),
  ].join("\n");
}
