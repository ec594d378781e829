/** A channel of any length, answered for the server: making one there would take longer than all journeys. */

export class LongChannel {
  /**
   * @param {string} name
   * @param {number} length
   * @param {string} me
   */
  constructor(name, length, me) {
    this.name = name;
    this.length = length;
    this.me = me;
  }

  /** @param {import('playwright-core').Page} page */
  async serve(page) {
    await page.route(
      (url) => url.pathname === `/api/channels/${this.name}/messages`,
      (route) => route.fulfill({ json: this.page(new URL(route.request().url()).searchParams) }),
    );
    await page.route(
      (url) => /^\/api\/messages\/\d+\/receipts$/.test(url.pathname),
      (route) => route.fulfill({ json: { message_id: 1, receipts: [], total: 0 } }),
    );
  }

  /** @param {URLSearchParams} query */
  page(query) {
    const number = (/** @type {string} */ name) => (query.has(name) ? Number(query.get(name)) : undefined);
    const limit = number('limit') ?? 50;
    const [before, after, around] = [number('before'), number('after'), number('around')];
    let first = this.length - limit + 1;
    let last = this.length;
    if (before !== undefined) [first, last] = [before - limit, before - 1];
    if (after !== undefined) [first, last] = [after + 1, after + limit];
    if (around !== undefined) [first, last] = [around - limit / 2, around + limit / 2];
    first = Math.max(1, first);
    last = Math.min(this.length, last);
    const messages = [];
    for (let id = first; id <= last; id += 1) messages.push(this.message(id));
    return {
      messages,
      has_more_before: first > 1,
      has_more_after: last < this.length,
      last_read_message_id: this.length,
    };
  }

  /** @param {number} id */
  message(id) {
    const words = 'A message of some length, so that rows differ in height. '.repeat(1 + (id % 7));
    const time = new Date(Date.UTC(2026, 0, 1) + id * 60_000).toISOString();
    return {
      id,
      conversation_id: 1,
      channel: this.name,
      channel_id: 1,
      from: id % 5 === 0 ? this.me : `speaker-${id % 3}`,
      from_kind: id % 3 === 0 ? 'agent' : 'human',
      to: null,
      subject: '',
      body: `**${id}** ${words}`,
      priority: 5,
      status: 'pending',
      metadata: {},
      reply_to: null,
      reply_count: 0,
      attachments: [],
      reactions: [],
      workflow_state: null,
      claimed_by: null,
      lease_expires_at: null,
      depth: 0,
      created_at: time,
      updated_at: time,
    };
  }
}
