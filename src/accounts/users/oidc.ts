/**
 * Sign-in with the operator's OpenID provider (OpenID Connect Core 1.0, authorization code flow with PKCE). A verified
 * email address identifies the user. State, nonce and verifier are stored with the browser's attempt and can be used
 * once.
 */
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  type IDToken,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { Database, Sql } from '../../db/pool.ts';
import { insertAttempt, takeAttempt } from '../../db/users/sign-in-attempts.ts';
import { SESSION_HOURS } from '../../db/users/user-sessions.ts';
import { findUser, findUsersByEmail } from '../../db/users/users.ts';
import type { UserId } from '../../domain/ids.ts';
import { parseEmail, type User } from '../../domain/user.ts';
import { hostOf, isLoopbackHost } from '../../lib/http-client/public-addresses.ts';
import { type RequestSource, type SignedIn, startUserSession } from './sessions.ts';
import { hashUserToken, isUserToken, newUserToken } from './tokens.ts';

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The name on the button `Sign in with …`. */
  name: string;
}

/** The provider does not answer, or violates its metadata or the standard. */
export class ProviderFailed extends Error {
  constructor(cause: unknown) {
    super('the OpenID provider failed', { cause });
    this.name = 'ProviderFailed';
  }
}

const ANSWER_LIMIT_SECONDS = 10;
/** To confirm a change: the provider must have authenticated the person within this time, or ask again. */
const FRESH_SECONDS = 300;
/** Otherwise, as long as a session here. */
const SESSION_SECONDS = SESSION_HOURS * 3_600;
/** The maximum number of accounts offered to one person. */
const MAX_ACCOUNTS = 20;

/** The provider's metadata: fetched when first needed, and again after a failure. */
interface OidcProvider {
  configuration(): Promise<Configuration>;
}

export function createOidcProvider({ issuer, clientId, clientSecret }: OidcSettings): OidcProvider {
  let found: Promise<Configuration> | undefined;
  return {
    configuration() {
      const server = new URL(issuer);
      // Plain http is for a provider on this machine.
      const isLocal = server.protocol === 'http:' && isLoopbackHost(hostOf(server));
      found ??= discovery(server, clientId, clientSecret, ClientSecretBasic(clientSecret), {
        timeout: ANSWER_LIMIT_SECONDS,
        ...(isLocal && { execute: [allowInsecureRequests] }),
      }).catch((error: unknown) => {
        found = undefined;
        throw new ProviderFailed(error);
      });
      return found;
    },
  };
}

interface StartedOidc {
  state: string;
  nonce: string;
  verifier: string;
  redirectUri: string;
  next: string;
  again: boolean;
}

/** The URL for the browser, and the token for its cookie. @throws ProviderFailed */
export async function startOidc(
  sql: Sql,
  provider: OidcProvider,
  { redirectUri, next, again }: Pick<StartedOidc, 'redirectUri' | 'next' | 'again'>,
): Promise<{ url: string; token: string }> {
  const configuration = await provider.configuration();
  const facts: StartedOidc = {
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    redirectUri,
    next,
    again,
  };
  const token = newUserToken();
  await insertAttempt(sql, { tokenHash: hashUserToken(token), kind: 'oidc', facts });
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: 'openid email',
    state: facts.state,
    nonce: facts.nonce,
    code_challenge: await calculatePKCECodeChallenge(facts.verifier),
    code_challenge_method: 'S256',
    // Always: the provider then says when it last asked the person who they are (OpenID Connect Core 1.0, 3.1.2.1).
    max_age: String(again ? FRESH_SECONDS : SESSION_SECONDS),
  });
  return { url: url.href, token };
}

type OidcResult =
  | { kind: 'signed_in'; signedIn: SignedIn; next: string }
  /** The person has users in several accounts. The token is for their choice. */
  | { kind: 'choose'; token: string }
  /** No user has this address, or it is not verified. */
  | { kind: 'unknown' }
  /** The provider did not sign the person in, for example because they canceled. */
  | { kind: 'denied' }
  /** Not started in this browser, already used, expired, or the answer does not match the request. */
  | { kind: 'refused' };

/**
 * @param token of the attempt, from the cookie
 * @param query of the redirect from the provider
 * @throws ProviderFailed
 */
export async function finishOidc(
  database: Database,
  provider: OidcProvider,
  { token, query }: { token: string | null; query: string },
  from: RequestSource,
): Promise<OidcResult> {
  const started =
    token !== null && isUserToken(token)
      ? await takeAttempt<StartedOidc>(database, hashUserToken(token), 'oidc')
      : null;
  if (started === null) return { kind: 'refused' };
  const claims = await claimsOf(await provider.configuration(), started, query);
  if (claims === 'denied' || claims === 'refused') return { kind: claims };
  const email = claims.email_verified === true ? parseEmail(String(claims.email ?? '')) : null;
  const users = email === null ? [] : await findUsersByEmail(database, email, MAX_ACCOUNTS);
  const [user, ...others] = users;
  if (user === undefined) return { kind: 'unknown' };
  const authTime = claims.auth_time ?? null;
  if (others.length > 0) return { kind: 'choose', token: await keepChoice(database, users, { ...started, authTime }) };
  const at = authenticatedAt(authTime);
  const signedIn = await database.transaction((sql) => startUserSession(sql, user, 'oidc', from, at));
  return { kind: 'signed_in', signedIn, next: started.next };
}

/**
 * The ID token's claims, after checks of signature, issuer, audience, times, nonce and state. @returns the reason if
 * they are refused
 */
async function claimsOf(
  configuration: Configuration,
  { state, nonce, verifier, redirectUri, again }: StartedOidc,
  query: string,
): Promise<IDToken | 'denied' | 'refused'> {
  const answered = new URL(redirectUri);
  answered.search = query;
  try {
    const tokens = await authorizationCodeGrant(configuration, answered, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      ...(again && { maxAge: FRESH_SECONDS }),
    });
    return tokens.claims() ?? 'refused';
  } catch (error) {
    if (isOutage(error)) throw new ProviderFailed(error);
    return error instanceof AuthorizationResponseError ? 'denied' : 'refused';
  }
}

/** RFC 6749, 4.1.2.1: error codes that replace an HTTP 5xx. */
const OUTAGES = ['server_error', 'temporarily_unavailable'];

/**
 * Whether the provider did not answer, or answered with a 5xx. The package keeps the response, or the error of fetch,
 * as the cause.
 */
function isOutage(error: unknown): boolean {
  if (error instanceof Response) return error.status >= 500;
  if (error instanceof AuthorizationResponseError) return OUTAGES.includes(error.error);
  if (!(error instanceof Error)) return false;
  return error.name === 'TimeoutError' || error.message === 'fetch failed' || isOutage(error.cause);
}

/** @param authTime seconds since 1970. Without it, the authentication counts as old */
const authenticatedAt = (authTime: number | null) => new Date((authTime ?? 0) * 1_000);

interface Choice {
  users: UserId[];
  next: string;
  /** `auth_time` of the ID token. */
  authTime: number | null;
}

async function keepChoice(
  sql: Sql,
  users: readonly User[],
  { next, authTime }: Omit<Choice, 'users'>,
): Promise<string> {
  const token = newUserToken();
  const facts: Choice = { users: users.map(({ id }) => id), next, authTime };
  await insertAttempt(sql, { tokenHash: hashUserToken(token), kind: 'oidc_account', facts });
  return token;
}

/** Completes the choice of an account. @returns null if it was not offered, or not in this browser */
export async function chooseOidcUser(
  database: Database,
  token: string | null,
  userId: string,
  from: RequestSource,
): Promise<{ signedIn: SignedIn; next: string } | null> {
  if (token === null || !isUserToken(token)) return null;
  return database.transaction(async (sql) => {
    const choice = await takeAttempt<Choice>(sql, hashUserToken(token), 'oidc_account');
    const id = choice?.users.find((each) => each === userId);
    const user = id === undefined ? null : await findUser(sql, id);
    if (choice === null || user === null) return null;
    const at = authenticatedAt(choice.authTime);
    return { signedIn: await startUserSession(sql, user, 'oidc', from, at), next: choice.next };
  });
}
