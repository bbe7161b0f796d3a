import type { Language } from './texts.ts';

/** Faults of a CSV that the page itself cannot read, in Spanish. The service reports all others. */
const SPANISH: readonly (readonly [RegExp, string])[] = [
  [/^a quote that is never closed$/, 'unas comillas no se cierran'],
  [/^text after a closing quote$/, 'hay texto después de unas comillas que se cierran'],
  [/^a row of more than (\d+) characters$/, 'una fila de más de $1 caracteres'],
  [/^there is no column "(.*)"$/, 'no existe la columna «$1»'],
  [/^the column (.*) comes twice$/, 'la columna $1 está dos veces'],
  [/^a cell beyond the header$/, 'una celda fuera de las columnas de la cabecera'],
  [/^a header is missing$/, 'falta la primera fila con los nombres de las columnas'],
];

export function tableFaultText(fault: string, language: Language): string {
  const known = language === 'es' && SPANISH.find(([pattern]) => pattern.test(fault));
  return known ? fault.replace(...known) : fault;
}
