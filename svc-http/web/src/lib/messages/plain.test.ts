import { expect, test } from 'vitest';
import { plainName, preview } from './plain';

test.each([
  ['report.pdf', 'report.pdf'],
  ['\u202Etxt.exe', 'txt.exe'],
  ['a\nb\u0000.txt', 'a b .txt'],
  ['\u200F', 'file'],
  ['"><img src=x>.txt', '"><img src=x>.txt'],
])('%j is called %j', (name, shown) => expect(plainName(name)).toBe(shown));

test.each([
  ['**Green** again?', 'Green again?'],
  ['# Plan\n- ship\n- [rest](https://example.org)', 'Plan ship rest'],
  ['see\n```rust\nlet x = 1;\n```\nthere', 'see let x = 1; there'],
  ['1. one\n2. two', 'one two'],
  ['takes `0009_machine_events` long', 'takes 0009_machine_events long'],
])('%j is previewed as %j', (body, text) => expect(preview(body)).toBe(text));

test('long texts are cut', () => expect(preview('x'.repeat(500), 10)).toBe('xxxxxxxxx…'));
