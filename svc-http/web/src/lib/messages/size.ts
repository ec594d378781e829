/** `1.5 MB` and the like. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB'];
  let size = bytes / 1_000;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${size < 10 ? Math.round(size * 10) / 10 : Math.round(size)} ${units[unit]}`;
}
