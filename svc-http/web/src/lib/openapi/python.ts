/** A call of an operation in Python, with nothing but its standard library. */

import { placeholder, type Call, type CallBody, type Part } from './call';
import type { Carrier } from './security';

export function pythonCode({ method, address, headers, credential, body }: Call): string {
  const modules = ['urllib.request'];
  const fields = headers.map(([name, value]) => `${text(name)}: ${text(value)},`);
  const authorization = credentialLine(credential);
  if (authorization !== undefined) {
    modules.push('os');
    fields.unshift(authorization);
  }
  if (credential?.kind === 'basic') modules.push('base64');
  if (body?.kind === 'json') modules.push('json');
  if (body?.kind === 'form') modules.push('urllib.parse');
  if (body?.kind === 'parts') modules.push('uuid');
  if (body !== undefined) fields.push(`"Content-Type": ${contentType(body)},`);
  return [
    ...modules.sort().map((name) => `import ${name}`),
    '',
    ...(body ? preparation(body) : []),
    'request = urllib.request.Request(',
    `    ${text(address)},`,
    `    method=${text(method)},`,
    ...(fields.length > 0 ? ['    headers={', ...fields.map((line) => `        ${line}`), '    },'] : []),
    ...(body ? [`    data=${data(body)},`] : []),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status)',
    '    print(response.read().decode())',
  ].join('\n');
}

/** A JSON string is a string of Python too. */
function text(value: string): string {
  return JSON.stringify(value);
}

function credentialLine(credential: Carrier | undefined): string | undefined {
  switch (credential?.kind) {
    case 'bearer':
      return `"Authorization": "Bearer " + os.environ["TOKEN"],`;
    case 'basic':
      return `"Authorization": "Basic " + base64.b64encode((os.environ["NAME"] + ":" + os.environ["PASSWORD"]).encode()).decode(),`;
    case 'header':
      return `${text(credential.name)}: os.environ["TOKEN"],`;
    case 'cookie':
      return `"Cookie": ${text(`${credential.name}=`)} + os.environ["TOKEN"],`;
    default:
      return undefined;
  }
}

function contentType(body: CallBody): string {
  return body.kind === 'parts' ? '"multipart/form-data; boundary=" + boundary' : text(body.mediaType);
}

function data(body: CallBody): string {
  switch (body.kind) {
    case 'json':
      return `json.dumps(${valueOf(body.value, '    ')}).encode()`;
    case 'form': {
      const fields = Object.fromEntries(body.fields);
      return `urllib.parse.urlencode(${valueOf(fields, '    ')}).encode()`;
    }
    case 'parts':
      return 'data';
    case 'file':
      return 'open("FILE", "rb").read()';
  }
}

function preparation(body: CallBody): string[] {
  if (body.kind !== 'parts') return [];
  return [
    'boundary = uuid.uuid4().hex',
    'data = b""',
    ...body.parts.flatMap(partLines),
    'data += f"--{boundary}--\\r\\n".encode()',
    '',
  ];
}

function partLines({ name, isFile }: Part): string[] {
  const about = `form-data; name=\\"${name}\\"${isFile ? '; filename=\\"FILE\\"' : ''}`;
  return [
    `data += f"--{boundary}\\r\\nContent-Disposition: ${about}\\r\\n\\r\\n".encode()`,
    isFile ? 'data += open("FILE", "rb").read() + b"\\r\\n"' : `data += b"${placeholder(name)}\\r\\n"`,
  ];
}

/** A JSON value as Python writes it, over several lines when it is an object. */
function valueOf(value: unknown, indent: string): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map((entry) => valueOf(entry, indent)).join(', ')}]`;
  if (typeof value === 'object') {
    const deeper = `${indent}    `;
    const lines = Object.entries(value).map(
      ([name, entry]) => `${deeper}${text(name)}: ${valueOf(entry, deeper)},`,
    );
    return lines.length === 0 ? '{}' : ['{', ...lines, `${indent}}`].join('\n');
  }
  return JSON.stringify(value);
}
