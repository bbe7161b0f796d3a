/** Constants of FNV-1a, with another beginning for each part of the name. */
const [PRIME, BEGINNINGS] = [0x01000193, [0x811c9dc5, 0x1b873593, 0x9e3779b9, 0x85ebca6b]] as const;

/**
 * A name of a content, the same for the same: pages without TLS have no digest. Where two contents had one name, the
 * service would refuse the second.
 */
export function nameOf(content: string): string {
  const parts = BEGINNINGS.map((beginning) => {
    let hash: number = beginning;
    for (let at = 0; at < content.length; at++) hash = Math.imul(hash ^ content.charCodeAt(at), PRIME);
    return (hash >>> 0).toString(16).padStart(8, '0');
  });
  return parts.join('');
}
