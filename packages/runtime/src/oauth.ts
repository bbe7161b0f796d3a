import { DomainError, type Tokens } from '@tarifario/core/service';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { metadataPathOf, type OAuthConfig } from './oauth-config.ts';

/** Longer texts are no tokens and are not parsed. */
const MAX_TOKEN_LENGTH = 8192;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** Signatures that need no secret of ours; `none` is not among them. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** How far the clock of the issuer may be off. */
const CLOCK_SECONDS = 10;
/** How long the keys of the issuer are used before they are read again. */
const KEYS_MS = 600_000;
/** A token that names another key makes the keys be read again, at most once in this time. */
const UNKNOWN_KEY_MS = 30_000;
const TIMEOUT_MS = 5000;
const RETRY_SECONDS = 5;

/** An invalid token is the caller's fault; any other error is that of the issuer, or of the connection to it. */
const FAULTS_OF_TOKENS = [
  errors.JWTClaimValidationFailed,
  errors.JWTExpired,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
];

/**
 * Tokens of the issuer that the settings name. Its public keys are read with the first token, and cached.
 *
 * @param report - Called when the keys of the issuer cannot be read.
 * @see docs/decisions/0055-oauth-as-a-resource-server.md
 */
export function createTokens(
  { issuer, audience, jwksUrl, claim, secret }: OAuthConfig,
  report: (error: unknown) => void,
): Tokens {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    cacheMaxAge: KEYS_MS,
    cooldownDuration: UNKNOWN_KEY_MS,
    timeoutDuration: TIMEOUT_MS,
  });
  const expected = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_SECONDS,
    requiredClaims: ['exp', claim],
  };
  return {
    isToken: (text) => text.length <= MAX_TOKEN_LENGTH && JWT.test(text),
    async keyIdOf(token) {
      try {
        const { payload } = await jwtVerify(token, keys, expected);
        const id = payload[claim];
        return /^[1-9]\d{0,14}$/.test(String(id)) && typeof id !== 'object' ? Number(id) : null;
      } catch (error) {
        if (FAULTS_OF_TOKENS.some((fault) => error instanceof fault)) return null;
        report(error);
        const message = 'the issuer of the token cannot be asked for its keys';
        throw new DomainError('unavailable', { message, retryAfterSeconds: RETRY_SECONDS });
      }
    },
    secretFor: (keyId) => `${secret} ${keyId}`,
    metadataUrl: new URL(metadataPathOf(audience), audience).href,
  };
}
