const HEADINGS = 'h2, h3';
const CONTROLS = 'a[href], button, input, select, textarea';

const isThere = (one: Element): boolean => one.isConnected && one.checkVisibility() && !one.matches(':disabled');

/**
 * Where the control that has the focus is disabled, hidden or taken away, the heading of the smallest part around it
 * that is still there gets the focus, or else its first control. It would fall to the document, from whose beginning
 * keyboards and screen readers would have to find the way back.
 */
export function keepFocus(): void {
  /** The control, and what is around it, from the inside. */
  let path: readonly Element[] = [];
  addEventListener('focusin', ({ target }) => {
    path = target instanceof Element ? around(target) : [];
  });
  // A press beside all controls takes the focus away on purpose. One on the control itself does not give it the focus again.
  addEventListener('pointerdown', ({ target }) => {
    if (!(target instanceof Node && path[0]?.contains(target))) path = [];
  });
  const check = () => {
    const [control, ...parts] = path;
    if (!control || isThere(control)) return;
    if (document.activeElement !== document.body && document.activeElement !== control) return;
    const next = firstIn(parts.filter(isThere), HEADINGS) ?? firstIn(parts.filter(isThere), CONTROLS);
    if (!next) return;
    if (!next.matches(CONTROLS)) next.tabIndex = -1;
    next.focus({ preventScroll: true });
  };
  new MutationObserver(() => requestAnimationFrame(check)).observe(document, {
    ...{ childList: true, subtree: true },
    attributeFilter: ['disabled', 'hidden'],
  });
}

/** Once what is wrong is shown: to the first field with a fault, if there is one. */
export function focusFault(form: HTMLElement | null, also = ''): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>(`[aria-invalid=true]${also}`);
    const details = field?.closest('details');
    if (details) details.open = true;
    field?.focus();
  });
}

function around(control: Element): readonly Element[] {
  const parts: Element[] = [];
  for (let part: Element | null = control; part && part !== document.body; part = part.parentElement) parts.push(part);
  return parts;
}

function firstIn(parts: readonly Element[], kind: string): HTMLElement | undefined {
  for (const part of parts) {
    const found = [...part.querySelectorAll<HTMLElement>(kind)].find(isThere);
    if (found) return found;
  }
  return undefined;
}
