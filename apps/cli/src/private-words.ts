/**
 * The address of an invoice, or a text that could have the number of a supply point (ES and 16 digits), also mistyped.
 */
function couldTell(word: string): boolean {
  return /:\/\/|cnmc|cups=/i.test(word) || /\d{12}/.test(word.replaceAll(/[^a-z\d]/gi, ''));
}

/** A text about a call without those of its arguments that could identify a supply point. */
export function withoutPrivateWords(text: string, args: readonly string[]): string {
  const words = args.flatMap((arg) => [arg, arg.slice(arg.indexOf('=') + 1)]).filter(couldTell);
  return words.reduce((shown, word) => shown.replaceAll(word, '(not shown)'), text);
}
