/** Items that need attention, from rows of the API. Each item links to the page where it can be settled. */
import { localDay, shortTime } from "../parts/time.tsx";
import { stateText } from "./endpoint-state.tsx";
import { type LimitRow, levelOf } from "./limits.tsx";
import type { Schemas } from "./schemas.ts";
import { hookTexts, routineTexts } from "./texts/automation.ts";
import { overviewTexts } from "./texts/overview.ts";

const texts = overviewTexts.attention;
const soonMs = 14 * 86_400_000;
const isSoon = (at: string) => Date.parse(at) - Date.now() < soonMs;

/** isBad: something does not work. Otherwise something will stop, or waits. */
export type Item = { href?: string; text: string; isBad?: boolean };

export const deletionItems = ({ deletionAt }: Schemas["OwnOrganisation"]): Item[] =>
  deletionAt === null ? [] : [{ text: texts.deletion(localDay(deletionAt)), isBad: true }];

export function billingItems({ billingState, trialEndsAt }: Schemas["OwnOrganisation"]): Item[] {
  if (billingState === "none") return [{ text: texts.unpaid, isBad: true }];
  if (billingState !== "trial" || trialEndsAt === null) return [];
  if (Date.parse(trialEndsAt) <= Date.now()) return [{ text: texts.trialEnded, isBad: true }];
  return isSoon(trialEndsAt) ? [{ text: texts.trialEnds(localDay(trialEndsAt)) }] : [];
}

export function endpointItems(endpoint: Schemas["Webhook"]): Item[] {
  const { id, url, description, failingSince } = endpoint;
  const [href, name] = [`/portal/endpoints/${id}`, description ?? new URL(url).host];
  const state = stateText(endpoint);
  if (state === "disabled") return [{ href, text: texts.disabled(name), isBad: true }];
  if (state === "secret_lost") return [{ href, text: texts.secretLost(name), isBad: true }];
  if (state === "paused") return [{ href, text: texts.pausedEndpoint(name) }];
  return failingSince && state === "failing"
    ? [{ href, text: texts.failing(name, shortTime(failingSince)), isBad: true }]
    : [];
}

export function streamItems(stream: Schemas["AuditStream"]): Item[] {
  const state = stateText(stream);
  const text = texts.stream[state as keyof typeof texts.stream];
  return text ? [{ href: "/portal/audit", text, isBad: state !== "paused" }] : [];
}

export function routineItems(routine: Schemas["Routine"]): Item[] {
  const { id, name, state, pauseReason, lastFiredAt, lastSkippedAt, lastSkipReason } = routine;
  const href = `/portal/routines/${id}`;
  if (state === "paused") {
    return [{ href, text: texts.routine(name, pauseReason ? routineTexts.pauseReasons[pauseReason] : texts.paused) }];
  }
  if (lastSkippedAt === null || lastSkipReason === null || (lastFiredAt ?? "") > lastSkippedAt) return [];
  return [{ href, text: texts.routine(name, texts.skipped(routineTexts.skipReasons[lastSkipReason])), isBad: true }];
}

export function hookItems({ id, name, state, pauseReason, secretLostSince }: Schemas["Hook"]): Item[] {
  const href = `/portal/hooks/${id}`;
  if (secretLostSince !== null) return [{ href, text: texts.hookSecretLost(name), isBad: true }];
  if (state !== "paused") return [];
  const reason = pauseReason ? hookTexts.pauseReasons[pauseReason] : texts.paused;
  return [{ href, text: texts.hook(name, reason) }];
}

export const keyItems = ({ id, name, expiresAt }: Schemas["Key"]): Item[] =>
  isSoon(expiresAt) ? [{ href: `/portal/keys/${id}`, text: texts.expiring(name, localDay(expiresAt)) }] : [];

export function limitItems(row: LimitRow): Item[] {
  const name = overviewTexts.limitName(row.name);
  const level = levelOf(row);
  if (level === "bad") return [{ href: "#limits", text: texts.limitReached(name), isBad: true }];
  return level === "warn" ? [{ href: "#limits", text: texts.limit(name) }] : [];
}

/** @param more loads the rest of the list, if it is longer */
export function countItems(
  { rows, more }: { rows: unknown[]; more: unknown },
  href: string,
  text: (count: string) => string,
): Item[] {
  return rows.length === 0 ? [] : [{ href, text: text(`${rows.length.toLocaleString()}${more ? "+" : ""}`) }];
}
