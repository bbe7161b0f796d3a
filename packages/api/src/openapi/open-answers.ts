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
  const visited = new Set<object>();
  const open = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || visited.has(part)) return;
    visited.add(part);
    if ('additionalProperties' in part && part.additionalProperties === false) delete part.additionalProperties;
    for (const [name, value] of Object.entries(part)) {
      if (name === '$ref') open(partAt(document, String(value)));
      else if (name !== 'examples') open(value);
    }
  };
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(Object(path))) open(Object(operation).responses);
  }
  open(document.components?.responses);
}

function partAt(document: object, reference: string): unknown {
  return reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((part, name) => Reflect.get(Object(part), name), document);
}
