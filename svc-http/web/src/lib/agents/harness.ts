/** What is wrong with a text that is to be a JSON object, in a sentence. */
export function harnessProblem(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const detail = error instanceof SyntaxError ? ` ${error.message}.` : '';
    return `Invalid JSON.${detail}`;
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? undefined : 'Enter a JSON object: { … }.';
}
