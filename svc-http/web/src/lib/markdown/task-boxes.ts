/** Gives each task of a rendered text its box, which those who may change the text can tick. */

/** Takes the position of a task among those of the text; says later whether the text has been changed. */
export type Tick = (index: number, isDone: boolean) => Promise<boolean>;

const LONGEST_LABEL = 120;

/** The box that the keyboard was in when its text was drawn anew, by the element of the text. */
const ticked = new WeakMap<HTMLElement, number>();

/** An attachment; `html` names what was rendered, so that it runs again for other contents. */
export function addTaskBoxes(html: string, tick: Tick | undefined): (element: HTMLElement) => void {
  return (element) => {
    if (!html.includes('<li class="task')) return;
    for (const [index, item] of [...element.querySelectorAll<HTMLElement>('li.task')].entries()) {
      const had = item.querySelector<HTMLInputElement>(':scope > input');
      const box = had ?? boxOf(item);
      if (!had) item.prepend(box);
      box.disabled = tick === undefined;
      box.onchange = tick ? () => void change(element, box, index, tick) : null;
      if (ticked.get(element) !== index || document.activeElement !== document.body) continue;
      ticked.delete(element);
      box.focus();
    }
  };
}

function boxOf(item: HTMLElement): HTMLInputElement {
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = item.classList.contains('done');
  const words = [...item.childNodes]
    .filter((node) => !(node instanceof HTMLElement && ['UL', 'OL'].includes(node.tagName)))
    .map(({ textContent }) => textContent ?? '');
  box.setAttribute('aria-label', words.join('').trim().slice(0, LONGEST_LABEL) || 'Task');
  return box;
}

async function change(element: HTMLElement, box: HTMLInputElement, index: number, tick: Tick) {
  const isDone = box.checked;
  ticked.set(element, index);
  if (await tick(index, isDone)) return;
  ticked.delete(element);
  box.checked = !isDone;
}
