/** The parts of a document that are read here. */
interface Described {
  readonly paths?: object;
  readonly components?: { readonly responses?: object };
}

/**
 * Lets answers have members that the document does not name, for later versions add some. Schemas of requests stay
 * closed; no schema is used in both (a test checks this).
 *
 * @param document - It is changed.
 */
export function openAnswers(document: Described): void {
  changeParts(document, [...inOperations(document, 'responses'), document.components?.responses], (part) => {
    if (part.additionalProperties === false) delete part.additionalProperties;
  });
}

/**
 * Says the defaults of a body in the notes on its members. Generators of types take a member with `default` for one
 * that is always there, which is true of answers only, so their callers would have to send it.
 *
 * @param document - It is changed.
 */
export function sayDefaultsOfRequests(document: Described): void {
  changeParts(document, inOperations(document, 'requestBody'), (part) => {
    if (part.default === undefined) return;
    const note = `Default: \`${part.default}\`.`;
    part.description = part.description === undefined ? note : `${part.description} ${note}`;
    delete part.default;
  });
}

function inOperations({ paths = {} }: Described, member: 'requestBody' | 'responses'): readonly unknown[] {
  return Object.values(paths).flatMap((path) => Object.values(path).map((operation) => Object(operation)[member]));
}

/** Changes each part of a document that others have or refer to, once. */
function changeParts(document: Described, of: readonly unknown[], change: (part: Record<string, unknown>) => void) {
  const visited = new Set<object>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || visited.has(part)) return;
    visited.add(part);
    change(Object(part));
    for (const [name, value] of Object.entries(part)) {
      if (name === '$ref') visit(partAt(document, String(value)));
      else if (name !== 'examples') visit(value);
    }
  };
  of.forEach(visit);
}

function partAt(document: object, reference: string): unknown {
  return reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((part, name) => Reflect.get(Object(part), name), document);
}
