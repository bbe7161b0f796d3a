/** What a number on the wire may be off by: the sixth decimal, rounded once. */
const TOLERANCE = 1.5e-6;

/**
 * @param {unknown} value
 * @returns {value is Readonly<Record<string, unknown>>}
 */
function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Warnings that depend on the month of the question: vectors name none. */
const DATED = ['historico_sin_actualizar', 'salir_de_la_tur'];

/** @type {(entry: unknown) => boolean} */
const isUndated = (entry) => !(isRecord(entry) && DATED.includes(String(entry.codigo)));

/**
 * Where an answer misses an expectation, as sentences; empty when it meets it. Objects are compared on the expected keys,
 * lists by length and element, numbers within the tolerance, all else exactly.
 *
 * @param {unknown} expected
 * @param {unknown} actual
 * @param {{ path?: string, tolerance?: number }} [options]
 * @returns {string[]}
 */
export function differencesOf(expected, actual, { path = '', tolerance = TOLERANCE } = {}) {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [`${path}: a list expected`];
    const undated = actual.filter(isUndated);
    if (undated.length !== expected.length)
      return [`${path}: ${expected.length} elements expected, ${undated.length} found`];
    return expected.flatMap((entry, index) =>
      differencesOf(entry, undated[index], { path: `${path}[${index}]`, tolerance }),
    );
  }
  if (isRecord(expected)) {
    if (!isRecord(actual)) return [`${path}: an object expected`];
    return Object.entries(expected).flatMap(([key, entry]) =>
      differencesOf(entry, actual[key], { path: `${path}.${key}`, tolerance }),
    );
  }
  const isClose =
    typeof expected === 'number' && typeof actual === 'number' && Math.abs(expected - actual) <= tolerance;
  return isClose || expected === actual
    ? []
    : [`${path}: ${JSON.stringify(expected)} expected, ${JSON.stringify(actual)} found`];
}
