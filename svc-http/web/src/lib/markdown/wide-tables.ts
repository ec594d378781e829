/** Lets a table that is wider than the text scroll within a frame of its own, also by keyboard. */

/** An attachment; `html` names what was rendered, so that it runs again for other contents. */
export function frameTables(html: string): (element: HTMLElement) => void {
  return (element) => {
    if (!html.includes('<table')) return;
    for (const table of element.querySelectorAll('table')) {
      if (table.parentElement?.className === 'wide') continue;
      const frame = document.createElement('div');
      frame.className = 'wide';
      frame.tabIndex = 0;
      frame.setAttribute('role', 'group');
      frame.setAttribute('aria-label', 'Table');
      table.replaceWith(frame);
      frame.append(table);
    }
  };
}
