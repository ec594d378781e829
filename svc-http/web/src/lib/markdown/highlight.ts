/** Code in colours. A chunk of its own, loaded with the first block of code that names a language. */

import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { readPieces, type CodePiece } from './pieces';

/** By their names; the library knows others for most of them, such as `py`, `sh`, `toml` and `html`. */
const LANGUAGES = {
  bash,
  c,
  cpp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  markdown,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
hljs.registerAliases(['shell', 'console'], { languageName: 'bash' });

/** Longer blocks stay in one colour: patterns over them take long. */
export const LONGEST = 20_000;

/** The parts of a block of code, or nothing when its language is not among these. */
export function highlight(code: string, language: string): CodePiece[] | undefined {
  if (code.length > LONGEST || !hljs.getLanguage(language)) return undefined;
  return readPieces(hljs.highlight(code, { language, ignoreIllegals: true }).value);
}
