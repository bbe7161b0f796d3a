import { DomainError, type Tokens } from '@tarifario/core/service';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  UnsecuredJWT,
} from 'jose';
import { metadataPathOf, type OAuthConfig } from './oauth-config.ts';

/** Longer texts are no tokens and are not parsed. */
const MAX_TOKEN_LENGTH = 8192;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** What a token that is sent to an API is marked as, if it is marked; other kinds are for other purposes. */
const TYPES = /^(application\/)?(at\+)?jwt$/i;
/** Signatures that need no secret of ours; `none` is not among them. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** How far the clock of the issuer may be off. */
const CLOCK_SECONDS = 10;
/** How long the keys of the issuer are used before they are read again. */
const KEYS_MS = 600_000;
/** A token that names another key makes the keys be read again, at most once in this time. */
const UNKNOWN_KEY_MS = 30_000;
const TIMEOUT_MS = 5000;
/** The keys are requested at most once in this time, also while they cannot be read. */
const RETRY_SECONDS = 5;
const MAX_KEYS_BYTES = 1_048_576;

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
 * @param report - Called when the keys of the issuer cannot be read or used, once for each request of them.
 * @see docs/decisions/0055-oauth-as-a-resource-server.md
 */
export function createTokens(
  { issuer, audience, jwksUrl, claim, secret }: OAuthConfig,
  report: (error: unknown) => void,
): Tokens {
  let nextRequestMs = 0;
  let isReported = false;
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    cacheMaxAge: KEYS_MS,
    cooldownDuration: UNKNOWN_KEY_MS,
    timeoutDuration: TIMEOUT_MS,
    [customFetch]: async (...request) => {
      if (performance.now() < nextRequestMs) throw new Error('the keys were requested a moment ago');
      nextRequestMs = performance.now() + 1000 * RETRY_SECONDS;
      isReported = false;
      return await fetchBounded(...request);
    },
  });
  const claims = { issuer, audience, clockTolerance: CLOCK_SECONDS, requiredClaims: ['exp', claim] };
  const keyIdIn = ({ [claim]: id, cnf }: JWTPayload): number | null => {
    // A token that is bound to a key of its holder is worth nothing without a proof, which is not checked here.
    if (cnf !== undefined || (typeof id !== 'number' && typeof id !== 'string')) return null;
    return /^[1-9]\d{0,14}$/.test(String(id)) ? Number(id) : null;
  };
  /** Anybody can send a token, so what is wrong without its signature is refused before the issuer is asked. */
  const keyOf: JWTVerifyGetKey = async (header, token) => {
    const { payload } = UnsecuredJWT.decode(`${UNSECURED}.${token.payload}.`, claims);
    const isOurKind = header.typ === undefined || (typeof header.typ === 'string' && TYPES.test(header.typ));
    if (!isOurKind || keyIdIn(payload) === null) throw new errors.JWTInvalid('it is of another kind, or names no key');
    return await keys(header, token);
  };
  return {
    isToken: (text) => text.length <= MAX_TOKEN_LENGTH && JWT.test(text),
    async keyIdOf(token) {
      try {
        const { payload } = await jwtVerify(token, keyOf, { ...claims, algorithms: ALGORITHMS });
        return keyIdIn(payload);
      } catch (error) {
        if (FAULTS_OF_TOKENS.some((fault) => error instanceof fault)) return null;
        if (!isReported) report(error);
        isReported = true;
        const message = 'the issuer of the token cannot be asked for its keys';
        throw new DomainError('unavailable', { message, retryAfterSeconds: RETRY_SECONDS });
      }
    },
    secretFor: (keyId) => `${secret} ${keyId}`,
    metadataUrl: new URL(metadataPathOf(audience), audience).href,
  };
}

/** The header under which the library checks claims without a signature. */
const UNSECURED = Buffer.from('{"alg":"none"}').toString('base64url');

/** An issuer that answers without end must not fill the memory. */
const fetchBounded: FetchImplementation = async (...request) => {
  const response = await fetch(...request);
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > MAX_KEYS_BYTES) throw new RangeError(`more than ${MAX_KEYS_BYTES} bytes`);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(counted), { status: response.status });
};
