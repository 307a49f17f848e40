/** The signing secret of a hook, which the API returns once. */
import { CodeBlock } from "../parts/id.tsx";
import { showOnce } from "./one-time.tsx";
import type { Schemas } from "./schemas.ts";
import { hookTexts } from "./texts/automation.ts";
import { frameTexts } from "./texts/frame.ts";

export const urlOfHook = (path: string): string => new URL(path, location.origin).href;

/** Its state, or that posts cannot be verified. */
export const hookState = ({ state, secretLostSince }: Schemas["Hook"]): string =>
  secretLostSince === null ? state : "secret_lost";

export function showHookSecret({ path, secret }: Schemas["HookShownOnce"]): void {
  const { title, text, url } = hookTexts.secret;
  const children = (
    <>
      <p>{url}</p>
      <CodeBlock text={urlOfHook(path)} label={frameTexts.copied.url} />
    </>
  );
  showOnce({ title, text, label: frameTexts.copied.secret, secret, children });
}
