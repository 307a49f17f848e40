/** A schedule in words, and the next three times at which it fires, in its own time zone. */
import { useEffect, useState } from "preact/hooks";
import { isSchedule } from "../../routines/cron.ts";
import { nextFiring } from "../../routines/next-firing.ts";
import { isTimeZone } from "../../routines/zone.ts";
import { scheduleWords } from "./schedule-words.ts";
import { routineTexts } from "./texts/automation.ts";

const texts = routineTexts.firings;
const shown = 3;

/** Empty for a schedule or a time zone that is not complete. */
function firingsOf(schedule: string, timeZone: string): Date[] {
  if (!isSchedule(schedule) || !isTimeZone(timeZone)) return [];
  const times: Date[] = [];
  for (let after: Date | null = new Date(); after && times.length < shown; ) {
    after = nextFiring(schedule, timeZone, after);
    if (after) times.push(after);
  }
  return times;
}

const { hour12 = false } = new Intl.DateTimeFormat(undefined, { hour: "numeric" }).resolvedOptions();

type Props = { schedule: string; timeZone: string };

/** Nothing if the schedule has no exact words. */
export function ScheduleWords({ schedule, timeZone }: Props) {
  const [shown, set] = useState<{ schedule: string; words: string | undefined }>();
  useEffect(() => {
    let isCurrent = true;
    scheduleWords(schedule, hour12).then((words) => isCurrent && set({ schedule, words }));
    return () => {
      isCurrent = false;
    };
  }, [schedule]);
  if (shown?.schedule !== schedule || !shown.words || !isTimeZone(timeZone)) return null;
  return (
    <span class="sub">
      {shown.words}, {timeZone}
    </span>
  );
}

export function NextFirings({ schedule, timeZone }: Props) {
  const times = firingsOf(schedule, timeZone);
  if (times.length === 0) return <span class="quiet">{texts.none}</span>;
  const format = new Intl.DateTimeFormat(undefined, {
    ...({
      weekday: "short",
      day: "numeric",
      month: "short",
      hour: "numeric",
      minute: "2-digit",
      timeZoneName: "short",
    } as const),
    timeZone,
  });
  return (
    <ol class="firings" aria-label={texts.label}>
      {times.map((at) => (
        <li key={at.toISOString()}>
          <time dateTime={at.toISOString()}>{format.format(at)}</time>
        </li>
      ))}
    </ol>
  );
}
