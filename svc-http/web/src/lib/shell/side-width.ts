/** The width of the sidebar in pixels. public/theme.js sets it before the first paint, from the same key. */

export const NARROWEST = 200;
export const WIDEST = 420;
/** As in app.css. */
export const USUAL = 248;
export const STEP = 16;

const STORAGE_KEY = 'svc.side-width';

export function withinBounds(width: number): number {
  return Math.round(Math.max(NARROWEST, Math.min(WIDEST, width)));
}

/** What a key does to the width; nothing for other keys. */
export function afterKey(key: string, width: number): number | undefined {
  const widths: Readonly<Record<string, number>> = {
    ArrowLeft: withinBounds(width - STEP),
    ArrowRight: withinBounds(width + STEP),
    Home: NARROWEST,
    End: WIDEST,
    Enter: USUAL,
  };
  return Object.hasOwn(widths, key) ? widths[key] : undefined;
}

export function readWidth(storage: () => Pick<Storage, 'getItem'>): number {
  try {
    const width = Number(storage().getItem(STORAGE_KEY) ?? USUAL);
    return Number.isFinite(width) && width > 0 ? withinBounds(width) : USUAL;
  } catch {
    return USUAL;
  }
}

export function keepWidth(width: number, storage: () => Pick<Storage, 'setItem' | 'removeItem'>): void {
  try {
    if (width === USUAL) storage().removeItem(STORAGE_KEY);
    else storage().setItem(STORAGE_KEY, String(width));
  } catch {
    // Without storage it lasts as long as the page.
  }
}
