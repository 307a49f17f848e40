/** Times in UTC, with the relative time beside them. */
import { useEffect, useState } from "preact/hooks";
import { html } from "./html.ts";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = (number: number) => String(number).padStart(2, "0");

export function clock(at: Date, { seconds = true } = {}): string {
  const time = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
  return seconds ? `${time}:${two(at.getUTCSeconds())}` : time;
}

export function day(at: Date): string {
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]}`;
}

/** Omits the day if it is today, and the year if it is the current one. */
function moment(at: Date, now: Date): string {
  if (at.toISOString().slice(0, 10) === now.toISOString().slice(0, 10)) return clock(at);
  const year = at.getUTCFullYear() === now.getUTCFullYear() ? "" : ` ${at.getUTCFullYear()}`;
  return `${day(at)}${year}, ${clock(at, { seconds: false })}`;
}

const steps: [seconds: number, unit: string][] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
];

/** In the largest fitting unit, for example 3 min. */
export function duration(ms: number): string {
  const seconds = Math.abs(ms) / 1000;
  if (seconds < 1) return `${Math.round(Math.abs(ms))} ms`;
  const [size, unit] = steps.find(([size]) => seconds >= size) ?? [1, "s"];
  const whole = seconds / size;
  return `${whole < 10 && unit !== "s" && unit !== "min" ? Number(whole.toFixed(1)) : Math.floor(whole)} ${unit}`;
}

export function relative(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  if (Math.abs(ms) < 1500) return "now";
  return ms > 0 ? `${duration(ms)} ago` : `in ${duration(ms)}`;
}

/** The current time, updated every few seconds while the tab is visible. */
export function useNow(everyMs = 5_000): Date {
  const [now, set] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) set(new Date());
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** A time and its relative time; a dash if null. */
export function When({ at, none = "–" }: { at: string | null | undefined; none?: string }) {
  const now = useNow();
  if (!at) return html`<span class="quiet">${none}</span>`;
  const date = new Date(at);
  return html`<time datetime=${at} title=${`${date.toISOString().replace("T", " ").replace("Z", "")} UTC`}
    >${moment(date, now)} <span class="ago">${relative(date, now)}</span></time
  >`;
}

/** The time range of a bucket as text. */
export function bucketText(begin: number, step: number): string {
  const date = new Date(begin);
  if (step >= 86_400_000) return day(date);
  return `${day(date)}, ${clock(date, { seconds: false })} to ${clock(new Date(begin + step), { seconds: false })} UTC`;
}
