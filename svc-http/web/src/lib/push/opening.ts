/** Opens what a person has clicked in a notification: the service worker tells the page where to go. */

import { asObject, asText } from '../json/read';

type Container = Pick<ServiceWorkerContainer, 'addEventListener' | 'removeEventListener'>;

/** Listens from now on; the result stops that. */
export function followNotifications(
  container: Container | undefined,
  navigate: (address: string) => void,
): () => void {
  if (!container) return () => undefined;
  const heard = ({ data }: MessageEvent) => {
    const word = asObject(data);
    const url = asText(word?.['url']);
    // Two slashes would begin the name of another server.
    if (word?.['kind'] === 'open' && url !== undefined && /^\/(?!\/)/.test(url)) navigate(url);
  };
  container.addEventListener('message', heard);
  return () => container.removeEventListener('message', heard);
}
