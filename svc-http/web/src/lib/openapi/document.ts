/** An OpenAPI document as fetched: trusted in nothing but that it is a JSON object. */

import { asObject, asText, type JsonObject } from '../json/read';

/** A JSON object that may be `{ "$ref": … }` in place of itself. */
export type Referable = unknown;

export interface Resolved {
  readonly value: JsonObject;
  /** The references that led here, outermost first. */
  readonly references: readonly string[];
}

export class OpenApiDocument {
  readonly root: JsonObject;

  /** Nothing when the value is not an OpenAPI document. */
  static read(value: unknown): OpenApiDocument | undefined {
    const root = asObject(value);
    return root && (asText(root['openapi']) ?? asObject(root['paths']))
      ? new OpenApiDocument(root)
      : undefined;
  }

  private constructor(root: JsonObject) {
    this.root = root;
  }

  get title(): string {
    return asText(asObject(this.root['info'])?.['title']) ?? 'API';
  }

  get version(): string | undefined {
    return asText(asObject(this.root['info'])?.['version']);
  }

  get description(): string | undefined {
    return asText(asObject(this.root['info'])?.['description']);
  }

  /**
   * Follows references until an object is reached. References to elsewhere, to nothing, or in a
   * circle give nothing.
   */
  resolve(value: Referable): Resolved | undefined {
    const references: string[] = [];
    let current = asObject(value);
    for (;;) {
      const reference = asText(current?.['$ref']);
      if (reference === undefined) return current && { value: current, references };
      if (references.includes(reference)) return undefined;
      references.push(reference);
      current = asObject(this.#at(reference));
    }
  }

  /** What a reference such as `#/components/schemas/Message` points at. */
  #at(reference: string): unknown {
    if (!reference.startsWith('#/')) return undefined;
    let current: unknown = this.root;
    for (const segment of reference.slice(2).split('/')) {
      const object = asObject(current);
      const key = unescapeSegment(segment);
      if (!object || !Object.hasOwn(object, key)) return undefined;
      current = object[key];
    }
    return current;
  }
}

/** The last part of a reference, which is the name people know: `Message`. */
export function referenceName(reference: string): string {
  return unescapeSegment(reference.slice(reference.lastIndexOf('/') + 1));
}

function unescapeSegment(segment: string): string {
  const plain = segment.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
