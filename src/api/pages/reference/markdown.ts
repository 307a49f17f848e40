/** Renders the Markdown that descriptions of the contract use: paragraphs, lists, `code`, **bold** and links. */
import { escapeHtml, type Html } from "../../../web/layout.ts";

export function markdown(text: string): Html {
  const paragraphs = text
    .split(/\n{2,}/)
    .map((part) => (part.startsWith("- ") ? list(part) : `<p>${inline(part)}</p>`));
  return { html: paragraphs.join("\n") };
}

function list(text: string): string {
  const items = text.split(/^- /m).slice(1);
  return `<ul>${items.map((item) => `<li>${inline(item.trim())}</li>`).join("")}</ul>`;
}

/** The same within a line. */
export function inlineMarkdown(text: string): Html {
  return { html: inline(text) };
}

function inline(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
    .replaceAll(/\[([^\]]+)\]\((https:[^)]+)\)/g, '<a href="$2">$1</a>');
}
