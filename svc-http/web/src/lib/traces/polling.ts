/** Does something again and again while the tab is looked at, and at once when it is looked at again. */
export function everyVisible(
  milliseconds: number,
  page: Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>,
  work: () => void,
): () => void {
  const timer = setInterval(() => {
    if (!page.hidden) work();
  }, milliseconds);
  const look = () => {
    if (!page.hidden) work();
  };
  page.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    page.removeEventListener('visibilitychange', look);
  };
}
