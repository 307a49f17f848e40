/** An id or other text to copy. */

import { partTexts } from "./texts.ts";
import { toast } from "./toast.tsx";

export function Id({ value, label = partTexts.copy.defaults.id }: { value: string; label?: string }) {
  return (
    <span class="id">
      <code>{value}</code>
      <CopyButton text={value} label={label} />
    </span>
  );
}

/** The end of the id. Ids start with their time, so neighbours have a similar start. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const copy = async ({ currentTarget }: { currentTarget: HTMLButtonElement }) => {
    try {
      await navigator.clipboard.writeText(text);
      toast(partTexts.copy.done(label));
    } catch {
      // Without TLS, or in a frame that the embedding page gave no permission.
      const shown = currentTarget.parentElement?.querySelector("code");
      if (shown) getSelection()?.selectAllChildren(shown);
      toast(partTexts.copy.refused(label));
    }
  };
  return (
    <button type="button" class="copy" onClick={copy} aria-label={partTexts.copy.label(label)}>
      {partTexts.copy.button}
    </button>
  );
}

export function CodeBlock({ text, label = partTexts.copy.defaults.code }: { text: string; label?: string }) {
  return (
    <div class="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region needs the keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}
