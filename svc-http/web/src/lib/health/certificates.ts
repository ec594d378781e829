/** The certificates of the endpoints that the hub depends on. */

import type { Schemas } from '../api/client';

export type Certificate = Schemas['EndpointCertificate'];

/** Somebody is told this long before the end, as the hub does it. */
const WARNING = 14 * 86_400_000;

/** How urgent a certificate is; nothing when all is well, or when it was not seen. */
export function urgencyOf(
  { ends_at }: Pick<Certificate, 'ends_at'>,
  now: number,
): 'warn' | 'bad' | undefined {
  if (ends_at == null) return undefined;
  const left = Date.parse(ends_at) - now;
  if (left <= 0) return 'bad';
  return left <= WARNING ? 'warn' : undefined;
}
