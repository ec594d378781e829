/** Times at which a message can be sent later, as they are where the person is. */

export interface Choice {
  readonly title: string;
  readonly at: Date;
}

const HOUR_MILLISECONDS = 3_600_000;
/** The hour of the day at which people begin to read. */
const MORNING = 9;
const MONDAY = 1;

/** In one hour, tomorrow morning, and on Monday morning unless that is tomorrow. */
export function laterChoices(now: Date): readonly Choice[] {
  const tomorrow = morningAfter(now, 1);
  const days = (MONDAY - now.getDay() + 7) % 7 || 7;
  return [
    { title: 'In 1 hour', at: new Date(now.getTime() + HOUR_MILLISECONDS) },
    { title: 'Tomorrow at 9:00', at: tomorrow },
    ...(days === 1 ? [] : [{ title: 'Monday at 9:00', at: morningAfter(now, days) }]),
  ];
}

function morningAfter(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING);
}

const two = (number: number) => String(number).padStart(2, '0');

/** A time as the value of an input of date and time. */
export function inputOf(moment: Date): string {
  const day = `${String(moment.getFullYear()).padStart(4, '0')}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  return `${day}T${two(moment.getHours())}:${two(moment.getMinutes())}`;
}

/** The time in an input of date and time; nothing while it is not complete. */
export function momentIn(value: string): Date | undefined {
  const match = /^(\d{4,6})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(value);
  if (!match) return undefined;
  const [year, month, day, hour, minute] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return new Date(year, month - 1, day, hour, minute);
}
