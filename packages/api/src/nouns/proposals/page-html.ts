const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Any value as text of HTML. Every value is written by this function. */
export function esc(value: unknown): string {
  return String(value).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

export const cell = (text: string) => `<td class="n">${esc(text)}</td>`;
