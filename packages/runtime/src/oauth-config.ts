/** The issuer of tokens that are taken in place of API keys. */
export interface OAuthConfig {
  /** As the claim `iss` has it. */
  readonly issuer: string;
  /** The public address of this service, as the claim `aud` has it. */
  readonly audience: string;
  /** Where the issuer publishes its keys. */
  readonly jwksUrl: string;
  /** The claim with the id of an API key. */
  readonly claim: string;
  /** The secret for tags, cursors and fingerprints of callers who have no key. */
  readonly secret: string;
}

export const DEFAULT_CLAIM = 'tarifario_key';
const MIN_SECRET = 32;

/** An address without TLS may only be on this machine. @throws RangeError. */
export function tokenUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const isPlain = url !== null && url.username === '' && url.password === '' && url.hash === '' && url.search === '';
  if (!isPlain || (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:'))) {
    throw new RangeError('must be an https address without user, query and fragment');
  }
  return text;
}

export function claimName(text: string): string {
  if (!/^[\w:./-]{1,200}$/.test(text)) throw new RangeError('must be the name of a claim');
  return text;
}

export function tokenSecret(text: string): string {
  if (text.length < MIN_SECRET) throw new RangeError(`must have at least ${MIN_SECRET} characters`);
  return text;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The path at which the metadata of a resource is, for one that has a path itself too (RFC 9728, 3.1). */
export function metadataPathOf(audience: string): string {
  const { pathname } = new URL(audience);
  return pathname === '/' ? WELL_KNOWN : WELL_KNOWN + pathname;
}

/** The metadata of this service: the accepted issuer, and how tokens are sent. */
export function metadataOf({ issuer, audience }: OAuthConfig): object {
  return { resource: audience, authorization_servers: [issuer], bearer_methods_supported: ['header'] };
}
