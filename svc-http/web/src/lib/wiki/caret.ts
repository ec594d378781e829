/** Where a place in a text area is on screen, seen from the area's own corner. */

const COPIED = [
  'boxSizing',
  'width',
  'paddingTop',
  'paddingRight',
  'paddingBottom',
  'paddingLeft',
  'borderTopWidth',
  'borderRightWidth',
  'borderBottomWidth',
  'borderLeftWidth',
  'fontFamily',
  'fontSize',
  'fontWeight',
  'fontVariantLigatures',
  'letterSpacing',
  'lineHeight',
  'tabSize',
] as const;

/** The place below the letter at `at`. A copy of the area, out of sight, is measured. */
export function placeOfLetter(area: HTMLTextAreaElement, at: number): { left: number; top: number } {
  const copy = document.createElement('div');
  const style = getComputedStyle(area);
  for (const name of COPIED) copy.style[name] = style[name];
  copy.style.position = 'absolute';
  copy.style.visibility = 'hidden';
  copy.style.whiteSpace = 'pre-wrap';
  copy.style.overflowWrap = 'break-word';
  copy.textContent = area.value.slice(0, at);
  const mark = document.createElement('span');
  mark.textContent = area.value.slice(at, at + 1) || '.';
  copy.append(mark);
  document.body.append(copy);
  const place = {
    left: mark.offsetLeft - area.scrollLeft,
    top: mark.offsetTop + mark.offsetHeight - area.scrollTop,
  };
  copy.remove();
  return place;
}
