/** The end of the session: a warning before it, and the page after it. Also a change of role within it. */
import { useEffect, useState } from "preact/hooks";
import { api } from "../parts/api.ts";
import { CodeBlock } from "../parts/id.tsx";
import { Section } from "../parts/page.tsx";
import { Time } from "../parts/time.tsx";
import { frameTexts as texts } from "./texts/frame.ts";
import type { Unsaved } from "./unsaved.ts";

const warningMs = 5 * 60_000;
/** Interval of the calls after the end, until the API refuses one: the clock of this device can be ahead. */
const retryMs = 10_000;

/** Warns 5 minutes before the end. At the end it calls the API, which ends the page without an action of the person. */
export function EndWarning({ expiresAt }: { expiresAt: string }) {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const left = Date.parse(expiresAt) - Date.now();
    const warning = setTimeout(() => setNear(true), left - warningMs);
    const check = () => {
      api("GET", "/portal-session").catch(() => {}); // a 401 ends the page
      end = setTimeout(check, retryMs);
    };
    let end = setTimeout(check, left);
    return () => {
      clearTimeout(warning);
      clearTimeout(end);
    };
  }, [expiresAt]);
  return (
    <div role="status">
      {isNear && (
        <p class="notice warn">
          {texts.ended.soon} <Time at={expiresAt} />. {texts.ended.save}
        </p>
      )}
    </div>
  );
}

/** @param returnUrl of the session, if one was open */
export function Ended({ unsaved, returnUrl }: { unsaved: Unsaved[]; returnUrl: string | null }) {
  return (
    <>
      {returnUrl && (
        <p>
          <a href={returnUrl} target="_top">
            {texts.ended.back}
          </a>
        </p>
      )}
      <UnsavedTexts unsaved={unsaved} why={texts.ended.copy} />
    </>
  );
}

/** @param lost unsaved texts of the page that was open */
export function Changed({ role, lost }: { role: string; lost: Unsaved[] }) {
  return (
    <>
      <p class="notice warn" role="alert">
        {texts.changed.text} {role}. {texts.changed.shown}
      </p>
      <UnsavedTexts unsaved={lost} why={texts.changed.copy} />
    </>
  );
}

function UnsavedTexts({ unsaved, why }: { unsaved: Unsaved[]; why: string }) {
  if (unsaved.length === 0) return null;
  return (
    <Section title={texts.unsaved}>
      <div class="text">
        <p>{why}</p>
        {unsaved.map(({ label, text }) => (
          <div key={label + text}>
            <h3>{label}</h3>
            <CodeBlock text={text} label={label} />
          </div>
        ))}
      </div>
    </Section>
  );
}
