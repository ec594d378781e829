/** Why a file cannot be shown: a picture that does not load says nothing of the reason itself. */

import { readProblem } from '../api/client';

export type FileFault = 'damaged' | 'no_thumbnail' | 'other';

/** What the server says against a file; nothing when it gives it. */
export async function faultOf(address: string, send: typeof fetch = fetch): Promise<FileFault | undefined> {
  const enough = new AbortController();
  try {
    const response = await send(address, { headers: { range: 'bytes=0-0' }, signal: enough.signal });
    // An empty file has no first byte.
    if (response.ok || response.status === 416) return undefined;
    const { code } = await readProblem(response);
    if (code === 'attachment_damaged') return 'damaged';
    return code === 'no_thumbnail' ? 'no_thumbnail' : 'other';
  } catch {
    return 'other';
  } finally {
    // A server that does not know parts would send all of it.
    enough.abort();
  }
}
