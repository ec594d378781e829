import { expect, test } from 'vitest';
import { callOf } from './call';
import { pythonCode } from './python';
import { documentWith, onlyOperation } from './sample';
import { typescriptCode } from './typescript';

const ORIGIN = 'https://hub.test';
const SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
};

function call(method: string, operation: object, scheme?: keyof typeof SCHEMES) {
  const security = scheme === undefined ? [] : [{ [scheme]: [] }];
  const paths = { '/a': { [method]: { security, ...operation } } };
  const document = documentWith({ paths, components: { securitySchemes: SCHEMES } });
  return callOf(document, onlyOperation(document), ORIGIN);
}

const body = (mediaType: string, schema: object, example?: unknown) => ({
  requestBody: { content: { [mediaType]: { schema, example } } },
});
const files = { properties: { file: { type: 'string', format: 'binary' }, name: { type: 'string' } } };

test('a read is short in both', () => {
  expect(pythonCode(call('get', {}))).toBe(
    [
      'import urllib.request',
      '',
      'request = urllib.request.Request(',
      '    "https://hub.test/a",',
      '    method="GET",',
      ')',
      'with urllib.request.urlopen(request) as response:',
      '    print(response.status)',
      '    print(response.read().decode())',
    ].join('\n'),
  );
  expect(typescriptCode(call('get', {}))).toBe(
    'const response = await fetch("https://hub.test/a");\nconsole.log(response.status, await response.text());',
  );
});

test('a JSON body is written in the words of each language', () => {
  const example = { text: 'it\'s "so"', on: true, off: null, list: [1, false], none: {} };
  const sent = call('post', body('application/json', {}, example), 'bearer');
  expect(pythonCode(sent)).toBe(
    [
      'import json',
      'import os',
      'import urllib.request',
      '',
      'request = urllib.request.Request(',
      '    "https://hub.test/a",',
      '    method="POST",',
      '    headers={',
      '        "Authorization": "Bearer " + os.environ["TOKEN"],',
      '        "Content-Type": "application/json",',
      '    },',
      '    data=json.dumps({',
      '        "text": "it\'s \\"so\\"",',
      '        "on": True,',
      '        "off": None,',
      '        "list": [1, False],',
      '        "none": {},',
      '    }).encode(),',
      ')',
      'with urllib.request.urlopen(request) as response:',
      '    print(response.status)',
      '    print(response.read().decode())',
    ].join('\n'),
  );
  const code = typescriptCode(sent);
  expect(code).toContain('Authorization: `Bearer ${process.env.TOKEN}`,');
  expect(code).toContain('  body: JSON.stringify({\n    "text": "it\'s \\"so\\"",\n    "on": true,');
  expect(code).toContain('  method: "POST",');
});

test.each(['basic', 'cookie', 'header'] as const)(
  'a credential of the kind %s is taken from the surroundings',
  (scheme) => {
    const sent = call('delete', {}, scheme);
    expect(pythonCode(sent)).toContain('os.environ["');
    expect(typescriptCode(sent)).toContain('process.env.');
  },
);

test('files and forms have their own bodies', () => {
  const upload = call('put', body('multipart/form-data', files));
  expect(pythonCode(upload)).toContain('name=\\"file\\"; filename=\\"FILE\\"');
  expect(pythonCode(upload)).toContain('data += b"NAME\\r\\n"');
  expect(typescriptCode(upload)).toContain('form.append("file", await openAsBlob("FILE"), "FILE");');
  const form = call(
    'post',
    body('application/x-www-form-urlencoded', { properties: { a: { type: 'string' } } }),
  );
  expect(pythonCode(form)).toContain('urllib.parse.urlencode({\n        "a": "text",\n    }).encode()');
  expect(typescriptCode(form)).toContain('new URLSearchParams({');
  const raw = call('post', body('application/octet-stream', {}));
  expect(pythonCode(raw)).toContain('data=open("FILE", "rb").read(),');
  expect(typescriptCode(raw)).toContain('body: await openAsBlob("FILE"),');
});
