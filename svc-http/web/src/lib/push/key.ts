/** The key with which the server signs what it sends, as browsers want it. */

export function keyBytes(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Whether a subscription was made for this key; where the browser does not tell, it is believed. */
export function isMadeFor(key: Uint8Array, made: ArrayBuffer | null | undefined): boolean {
  if (!made) return true;
  const bytes = new Uint8Array(made);
  return bytes.length === key.length && bytes.every((byte, index) => byte === key[index]);
}
