/** The signing secret of a hook, which the API returns once. */
import { Dialog } from "../parts/dialog.tsx";
import { CodeBlock } from "../parts/id.tsx";
import type { Schemas } from "./schemas.ts";
import { hookTexts } from "./texts/automation.ts";
import { frameTexts } from "./texts/frame.ts";

export const urlOfHook = (path: string): string => new URL(path, location.origin).href;

export function SecretDialog({ hook, onClose }: { hook: Schemas["HookShownOnce"]; onClose: () => void }) {
  const texts = hookTexts.secret;
  return (
    <Dialog title={texts.title} open onClose={onClose}>
      <p>{texts.text}</p>
      <CodeBlock text={hook.secret} label={frameTexts.copied.secret} />
      <p>{texts.url}</p>
      <CodeBlock text={urlOfHook(hook.path)} label={frameTexts.copied.url} />
    </Dialog>
  );
}
