/** Formats of times. Making one takes longer than using it hundreds of times, so each is made once. */

const made = new Map<string, Intl.DateTimeFormat>();

/** The format with these options, in a time zone or in that of the browser. */
export function formatIn(options: Intl.DateTimeFormatOptions, timeZone?: string): Intl.DateTimeFormat {
  const key = JSON.stringify([options, timeZone]);
  let format = made.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', {
      ...options,
      ...(timeZone === undefined ? {} : { timeZone }),
    });
    made.set(key, format);
  }
  return format;
}
