/** Long lists, page by page. */

const PAGE = 200;

/**
 * Everything that `ask` has, up to `most` entries. When something is added while the pages are being asked for, the
 * rest moves on and an entry comes twice; it is taken once.
 */
export async function loadAll<Entry extends { readonly id?: number; readonly name?: string }>(
  ask: (page: { limit: number; offset: number }) => Promise<{ entries: Entry[]; total: number }>,
  most = 2_000,
): Promise<Entry[]> {
  const all = new Map<unknown, Entry>();
  let offset = 0;
  for (;;) {
    const { entries, total } = await ask({ limit: PAGE, offset });
    for (const entry of entries) all.set(entry.id ?? entry.name, entry);
    offset += entries.length;
    if (entries.length === 0 || offset >= total || offset >= most) return [...all.values()];
  }
}
