/**
 * Conversations and questions about them, one organisation for each file of a folder. A line is a turn (`Mara: text`), a turn
 * with a tag (`#a1 Theo: text`) or a question with the tags of the turns that answer it (`? a1 a2 text`).
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Turn = { tag: string | undefined; speaker: string; text: string };
export type Question = { text: string; answers: string[] };
/** `isTest`: measured, never used to tune the search. */
export type Conversation = {
  name: string;
  language: string;
  isTest: boolean;
  turns: Turn[];
  questions: Question[];
};

/**
 * Reads the files `language-number.txt` of a folder. Files with an even number are the test set.
 *
 * @throws Error for a line of another form, and for a tag without a turn
 */
export function readConversations(folder: string): Conversation[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".txt"))
    .toSorted()
    .map((file) => {
      const [, language = "", number] = /^([a-z]+)-(\d+)\.txt$/.exec(file) ?? [];
      if (!number) throw new Error(`${file}: the name must be a language and a number, as in english-1.txt.`);
      const lines = readFileSync(join(folder, file), "utf8").trim().split("\n");
      const questions = lines.filter((line) => line.startsWith("?")).map(question);
      const turns = lines.filter((line) => !line.startsWith("?")).map(turn);
      const tags = new Set(turns.map(({ tag }) => tag));
      for (const tag of questions.flatMap(({ answers }) => answers)) {
        if (!tags.has(tag)) throw new Error(`${file}: no turn has the tag ${tag}.`);
      }
      return { name: file.slice(0, -4), language, isTest: Number(number) % 2 === 0, turns, questions };
    });
}

function turn(line: string): Turn {
  const [, tag, speaker, text] = /^(?:#(\w+) )?([^:]{1,60}): (.+)$/.exec(line) ?? [];
  if (!speaker || !text) throw new Error(`Not a turn: ${line}`);
  return { tag, speaker, text };
}

function question(line: string): Question {
  const [, tags, text] = /^\? ((?:a\d+ )+)(.+)$/.exec(line) ?? [];
  if (!tags || !text) throw new Error(`Not a question: ${line}`);
  return { answers: tags.trim().split(" "), text };
}
