/** Display names. */

/** Marks that turn the direction of text around, and letters that take no room: with them one name looks like another. */
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** The name for people without what cannot be seen; the handle when nothing is left. */
export function shownName(displayName: string | undefined | null, handle: string): string {
  return displayName?.replaceAll(UNSEEN, '').replaceAll(/\s+/g, ' ').trim() || handle;
}

/** `Build bot @bot`: for texts that are read out and for hovering, where nothing can be set apart by its look. */
export function fullName(displayName: string | undefined | null, handle: string): string {
  const name = shownName(displayName, handle);
  return name === handle ? handle : `${name} @${handle}`;
}
