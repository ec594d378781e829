/** Gives each block of code in a rendered text a button that copies it, and the keyboard a way to scroll it. */

const SHOWN_MILLISECONDS = 2_000;

/** An attachment; `html` names what was rendered, so that it runs again for other contents. */
export function addCopyButtons(html: string): (element: HTMLElement) => void {
  return (element) => {
    if (!html.includes('<pre')) return;
    for (const block of element.querySelectorAll('pre')) {
      if (block.parentElement?.className === 'block') continue;
      block.tabIndex = 0;
      block.setAttribute('role', 'group');
      block.setAttribute('aria-label', 'Code');
      const frame = document.createElement('div');
      frame.className = 'block';
      block.replaceWith(frame);
      frame.append(block, copyButton(block));
    }
  };
}

function copyButton(block: HTMLElement): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy code');
  button.addEventListener('click', () => {
    navigator.clipboard?.writeText(block.textContent ?? '').then(
      () => say('Copied'),
      () => select(),
    ) ?? select();
  });
  const say = (text: string) => {
    button.textContent = text;
    setTimeout(() => (button.textContent = 'Copy'), SHOWN_MILLISECONDS);
  };
  // Browsers give no clipboard to pages without TLS. Selecting leaves one key to press.
  const select = () => {
    getSelection()?.selectAllChildren(block);
    say('Press Ctrl+C');
  };
  return button;
}
