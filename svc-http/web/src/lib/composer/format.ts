/** What the buttons above the composer do to a text and its selection. */

export interface Edit {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Puts marks around the selection, or takes them away when they are there. */
export function wrap({ text, from, to }: Edit, mark: string): Edit {
  const inside = text.slice(from, to);
  const before = text.slice(0, from);
  const after = text.slice(to);
  if (before.endsWith(mark) && after.startsWith(mark)) {
    const start = from - mark.length;
    return {
      text: before.slice(0, start) + inside + after.slice(mark.length),
      from: start,
      to: to - mark.length,
    };
  }
  return { text: before + mark + inside + mark + after, from: from + mark.length, to: to + mark.length };
}

/** Begins each selected line with a mark, or takes it away when all have it. */
export function prefixLines({ text, from, to }: Edit, mark: string): Edit {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const end = text.indexOf('\n', to) < 0 ? text.length : text.indexOf('\n', to);
  const lines = text.slice(start, end).split('\n');
  const all = lines.every((line) => line.startsWith(mark));
  const changed = lines.map((line) => (all ? line.slice(mark.length) : mark + line)).join('\n');
  const grown = changed.length - (end - start);
  return {
    text: text.slice(0, start) + changed + text.slice(end),
    from: Math.max(start, from + (all ? -mark.length : mark.length)),
    to: to + grown,
  };
}

/** A code span, or a fenced block when the selection has several lines. */
export function code(edit: Edit): Edit {
  const inside = edit.text.slice(edit.from, edit.to);
  if (!inside.includes('\n')) return wrap(edit, '`');
  const before = edit.text.slice(0, edit.from);
  const open = `${before === '' || before.endsWith('\n') ? '' : '\n'}\`\`\`\n`;
  return {
    text: `${before}${open}${inside}\n\`\`\`${edit.text.slice(edit.to)}`,
    from: edit.from + open.length,
    to: edit.to + open.length,
  };
}

/** A link whose address is to be typed next. */
export function link({ text, from, to }: Edit): Edit {
  const title = text.slice(from, to) || 'title';
  const before = `${text.slice(0, from)}[${title}](`;
  return { text: `${before}https://)${text.slice(to)}`, from: before.length, to: before.length + 8 };
}

/** Puts a text in the place of the selection, with a space before it where a word ends. */
export function insert({ text, from, to }: Edit, inserted: string): Edit {
  const space = from === 0 || /\s$/.test(text.slice(0, from)) ? '' : ' ';
  const before = text.slice(0, from) + space + inserted;
  return { text: before + text.slice(to), from: before.length, to: before.length };
}

/** The size of a text as the server counts it. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
