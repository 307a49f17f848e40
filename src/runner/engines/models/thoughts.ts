/**
 * Removes a model's thoughts from the start of its text. Reasoning models write them between tags, and a service without a
 * parser for them passes the tags on.
 */
const openTag = /^\s*<(think|thinking)>/i;
/** The prompt template of some models contains the opening tag, so that only the closing tag is in the text. */
const closeTagAlone = /^<\/(?:think|thinking)>[ \t]*$/im;

/** Whether the text begins with a thought. */
export const beginsWithThought = (text: string): boolean => openTag.test(text);

/** Returns the text after the thoughts: empty if they do not end. */
export function withoutThoughts(text: string): string {
  const opened = openTag.exec(text);
  if (!opened) {
    const closed = closeTagAlone.exec(text);
    return closed ? text.slice(closed.index + closed[0].length).trimStart() : text;
  }
  const closing = `</${opened[1]}>`.toLowerCase();
  const end = text.toLowerCase().indexOf(closing, opened[0].length);
  return end < 0 ? "" : withoutThoughts(text.slice(end + closing.length).trimStart());
}
