/** Renders the Markdown that descriptions of the contract use: paragraphs, `code` and **bold**. */
import { escapeHtml, type Html } from "../../../web/layout.ts";

export function markdown(text: string): Html {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => `<p>${inline(paragraph)}</p>`);
  return { html: paragraphs.join("\n") };
}

/** The same within a line. */
export function inlineMarkdown(text: string): Html {
  return { html: inline(text) };
}

function inline(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>");
}
