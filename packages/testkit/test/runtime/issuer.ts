import type { AddressInfo } from 'node:net';
import type { OAuthConfig } from '@tarifario/runtime';
import { OAuth2Server } from 'oauth2-mock-server';

export const AUDIENCE = 'https://tarifario.example/';

/** What of a token a test changes. */
export interface TokenChanges {
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  /** Seconds; below 0: it has expired. */
  readonly expiresIn?: number;
  readonly kid?: string;
}

/** An issuer of tokens on this machine, with a key. */
export async function startIssuer() {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  server.issuer.url = address;
  const config: OAuthConfig = {
    issuer: address,
    audience: AUDIENCE,
    jwksUrl: `${address}/jwks`,
    claim: 'tarifario_key',
    secret: 'a secret that is at least 32 characters long',
  };
  return {
    server,
    config,
    /** A token for a key, valid unless something is changed. */
    tokenFor: (keyId: unknown, { payload = {}, header = {}, expiresIn = 600, kid }: TokenChanges = {}) =>
      server.issuer.buildToken({
        kid,
        expiresIn,
        scopesOrTransform: (ownHeader, ownPayload) => {
          Object.assign(ownHeader, header);
          Object.assign(ownPayload, { aud: AUDIENCE, tarifario_key: keyId }, payload);
        },
      }),
    stop: () => server.stop(),
  };
}

export type Issuer = Awaited<ReturnType<typeof startIssuer>>;

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The same token, not signed. */
export function unsigned(token: string): string {
  return `${part({ alg: 'none' })}.${token.split('.')[1]}.`;
}
