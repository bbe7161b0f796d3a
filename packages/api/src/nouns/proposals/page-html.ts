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

export const row = (name: string, value: unknown) => `<tr><th scope="row">${esc(name)}</th><td>${esc(value)}</td></tr>`;
export const cell = (text: string) => `<td class="n">${esc(text)}</td>`;

export const table = (caption: string, head: readonly string[], rows: readonly string[]) =>
  `<table><caption>${esc(caption)}</caption><thead><tr>${head
    .map((name) => `<th scope="col">${esc(name)}</th>`)
    .join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;

export const line = (name: string, values: readonly string[]) =>
  `<tr><th scope="row">${esc(name)}</th>${values.map(cell).join('')}</tr>`;
