/** The dialog of a secret that is shown once. It stays until the secret was copied, or until the person gives it up. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";
import { partTexts } from "./texts.ts";

const texts = partTexts.oneTime;

export type OneTime = {
  title: string;
  /** Where to keep it. */
  text: string;
  /** What it is, for the copy button, for example "key". */
  label: string;
  secret: string;
  /** With it the secret is a link of this text, which can be opened instead of copied. */
  linkText?: string;
  /** Below the secret. */
  children?: ComponentChildren;
};

export function OneTimeDialog({
  title,
  text,
  label,
  secret,
  linkText,
  children,
  onClose,
}: OneTime & { onClose: () => void }) {
  const box = useRef<HTMLPreElement>(null);
  const [state, set] = useState<"shown" | "copied" | "refused" | "warned">("shown");
  const [isKept, setKept] = useState(false);
  useWarningBeforeUnload(!isKept);
  const keep = () => {
    setKept(true);
    set("copied");
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      keep();
    } catch {
      // Without TLS, or in a frame that the embedding page gave no permission. The keyboard causes the event "copy".
      if (box.current) getSelection()?.selectAllChildren(box.current);
      set("refused");
    }
  };
  const close = () => (isKept ? onClose() : set("warned"));
  const isWarned = state === "warned";
  const footer = (
    <>
      <button type="button" class={isWarned ? "risky" : undefined} onClick={isWarned ? onClose : close}>
        {isWarned ? texts.giveUp : partTexts.dialog.close}
      </button>
      <button type="button" class={linkText ? undefined : "main"} onClick={copy}>
        {partTexts.copy.label(label)}
      </button>
      {linkText && (
        <a class="button main" href={secret} target="_blank" rel="noreferrer" onClick={() => setKept(true)}>
          {linkText}
        </a>
      )}
    </>
  );
  return (
    <Dialog title={title} open onClose={close} footer={footer}>
      <p>{text}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a person copies it by the keyboard where the browser refuses the button */}
      <pre class="secret" tabIndex={0} ref={box} onCopy={keep}>
        {secret}
      </pre>
      <p class={isWarned ? "notice bad" : "quiet"} role={isWarned ? "alert" : "status"}>
        {texts[state](label)}
      </p>
      {children}
    </Dialog>
  );
}

/** The browser asks before it closes or reloads the page. */
function useWarningBeforeUnload(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const ask = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isOn]);
}
