/** A screen of a terminal as a page: its text with control sequences for styles (SGR) becomes HTML, in a theme. */

/** The 16 colours of two common themes, with the ordinary foreground and background. */
export const THEMES = {
  light: {
    text: '#383a42',
    ground: '#fafafa',
    colours: [
      ...['#383a42', '#e45649', '#50a14f', '#c18401', '#0184bc', '#a626a4', '#0997b3', '#a0a1a7'],
      ...['#4f525e', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b5c2', '#ffffff'],
    ],
  },
  dark: {
    text: '#d4d4d4',
    ground: '#1e1e1e',
    colours: [
      ...['#000000', '#cd3131', '#0dbc79', '#e5e510', '#2472c8', '#bc3fbc', '#11a8cd', '#e5e5e5'],
      ...['#666666', '#f14c4c', '#23d18b', '#f5f543', '#3b8eea', '#d670d6', '#29b8db', '#ffffff'],
    ],
  },
};

/** @typedef {{ text: string, ground: string, colours: string[] }} Theme */
/** @typedef {{ fore?: string, back?: string, bold?: boolean, dim?: boolean, italic?: boolean, under?: boolean, reverse?: boolean, strike?: boolean }} Style */

/** @param {string} text */
const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** The colour of a number from 0 to 255. @param {number} number @param {Theme} theme */
function indexed(number, theme) {
  if (number < 16) return theme.colours[number] ?? theme.text;
  if (number >= 232) {
    const grey = 8 + (number - 232) * 10;
    return `rgb(${grey},${grey},${grey})`;
  }
  const level = (/** @type {number} */ part) => (part === 0 ? 0 : 55 + part * 40);
  const [red, green, blue] = [
    Math.floor((number - 16) / 36),
    Math.floor((number - 16) / 6) % 6,
    (number - 16) % 6,
  ];
  return `rgb(${level(red ?? 0)},${level(green ?? 0)},${level(blue ?? 0)})`;
}

/**
 * The style after a control sequence.
 *
 * @param {Style} before
 * @param {number[]} codes
 * @param {Theme} theme
 * @returns {Style}
 */
export function styled(before, codes, theme) {
  let style = { ...before };
  const rest = [...codes];
  while (rest.length > 0) {
    const code = rest.shift() ?? 0;
    if (code === 0) style = {};
    else if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 3) style.italic = true;
    else if (code === 4) style.under = true;
    else if (code === 7) style.reverse = true;
    else if (code === 9) style.strike = true;
    else if (code === 22) style = { ...style, bold: false, dim: false };
    else if (code === 23) style.italic = false;
    else if (code === 24) style.under = false;
    else if (code === 27) style.reverse = false;
    else if (code === 29) style.strike = false;
    else if (code === 39) delete style.fore;
    else if (code === 49) delete style.back;
    else if (code >= 30 && code <= 37) style.fore = indexed(code - 30, theme);
    else if (code >= 90 && code <= 97) style.fore = indexed(code - 82, theme);
    else if (code >= 40 && code <= 47) style.back = indexed(code - 40, theme);
    else if (code >= 100 && code <= 107) style.back = indexed(code - 92, theme);
    else if (code === 38 || code === 48) {
      const colour =
        rest.shift() === 5 ? indexed(rest.shift() ?? 0, theme) : `rgb(${rest.splice(0, 3).join(',')})`;
      style[code === 38 ? 'fore' : 'back'] = colour;
    }
  }
  return style;
}

/** @param {Style} style @param {Theme} theme */
function css({ fore, back, bold, dim, italic, under, reverse, strike }, theme) {
  const [text, ground] = reverse ? [back ?? theme.ground, fore ?? theme.text] : [fore, back];
  return [
    text && `color:${text}`,
    ground && `background:${ground}`,
    bold && 'font-weight:bold',
    dim && 'opacity:.6',
    italic && 'font-style:italic',
    (under || strike) && `text-decoration:${under ? 'underline' : 'line-through'}`,
  ]
    .filter(Boolean)
    .join(';');
}

/** Whether a character takes two columns. @param {string} letter */
const isWide = (letter) =>
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}/u.test(
    letter,
  );

/** Every character has its own box, as in a terminal: fonts differ in the widths of symbols. @param {string} text */
function boxes(text) {
  const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  return letters
    .map((letter) =>
      /^[\x20-\x7e]$/.test(letter)
        ? escaped(letter)
        : `<i class="${isWide(letter) ? 'wide' : 'one'}">${escaped(letter)}</i>`,
    )
    .join('');
}

/**
 * A page with a screen.
 *
 * @param {string} screen as `tmux capture-pane -e -N -p` prints it
 * @param {{ theme: Theme, columns: number, rows: number }} options
 */
export function page(screen, { theme, columns, rows }) {
  /** @type {Style} */
  let style = {};
  let body = '';
  for (const part of screen.split(/(\x1b\[[\d;]*m)/)) {
    const codes = /^\x1b\[([\d;]*)m$/.exec(part)?.[1];
    if (codes !== undefined) style = styled(style, codes.split(';').map(Number), theme);
    else if (part !== '')
      body += `<span style="${css(style, theme)}">${part.split('\n').map(boxes).join('\n')}</span>`;
  }
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: ${theme.ground}; }
    pre { margin: 8px; width: ${columns}ch; height: ${rows * 1.25}em; overflow: hidden; color: ${theme.text};
      font: 15px/1.25 'DejaVu Sans Mono', 'Liberation Mono', monospace; unicode-bidi: bidi-override; }
    i { display: inline-block; width: 1ch; font-style: inherit; text-align: center; vertical-align: top; height: 1.25em; }
    i.wide { width: 2ch; }
  </style><pre>${body}</pre>`;
}
