/** Passkeys (WebAuthn): creates requests for the browser, and verifies its answers. Each challenge can be used once. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Database, Sql } from '../../db/pool.ts';
import { findPasskey, listPasskeys, notePasskeyUse, type Passkey } from '../../db/users/passkeys.ts';
import { insertAttempt, takeAttempt } from '../../db/users/sign-in-attempts.ts';
import type { User } from '../../domain/user.ts';
import { auditUser } from './manage.ts';
import { type RequestSource, type SignedIn, startUserSession } from './sessions.ts';
import { unknownPerson } from './sign-in-password.ts';
import { hashUserToken, isUserToken, newUserToken } from './tokens.ts';

/** Loaded on first use: it is a seventh of all modules that a start would load. */
const webAuthn = () => import('@simplewebauthn/server');

/** The relying party, for which passkeys are created. */
export interface RelyingParty {
  /** A host name. */
  id: string;
  /** With scheme and port. */
  origin: string;
}

/** The request for the browser, and the token that ties the answer to it. */
interface IssuedChallenge<Options> {
  options: Options;
  token: string;
}

/** The browser lists its passkeys for this host; the user is not known before. */
export async function askForPasskey(
  sql: Sql,
  { id: rpID }: RelyingParty,
): Promise<IssuedChallenge<PublicKeyCredentialRequestOptionsJSON>> {
  const { generateAuthenticationOptions } = await webAuthn();
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
  return { options, token: await keepChallenge(sql, 'passkey', { challenge: options.challenge }) };
}

async function keepChallenge(sql: Sql, kind: 'passkey' | 'new_passkey', facts: object): Promise<string> {
  const token = newUserToken();
  await insertAttempt(sql, { tokenHash: hashUserToken(token), kind, facts });
  return token;
}

/**
 * @param token of the request, from the cookie, which can be used once
 * @param answer of the browser, unverified
 * @returns null if anything is wrong
 */
export async function signInWithPasskey(
  database: Database,
  party: RelyingParty,
  { token, answer }: { token: string | null; answer: unknown },
  from: RequestSource,
): Promise<SignedIn | null> {
  const issued = await takeChallenge<{ challenge: string }>(database, token, 'passkey');
  const response = answer as AuthenticationResponseJSON;
  const passkey = typeof response?.id === 'string' ? await findPasskey(database, response.id) : null;
  if (issued === null || passkey === null) return null;
  const user = { id: passkey.userId, accountId: passkey.accountId };
  const counter = await counterOf(response, issued.challenge, party, passkey);
  return database.transaction(async (sql) => {
    if (counter === null || !(await notePasskeyUse(sql, passkey.id, counter))) {
      await auditUser(sql, unknownPerson(from), 'user.sign_in_failed', user, { way: 'passkey' });
      return null;
    }
    return startUserSession(sql, user, 'passkey', from);
  });
}

function takeChallenge<Facts extends object>(
  sql: Sql,
  token: string | null,
  kind: 'passkey' | 'new_passkey',
): Promise<Facts | null> {
  if (token === null || !isUserToken(token)) return Promise.resolve(null);
  return takeAttempt<Facts>(sql, hashUserToken(token), kind);
}

/** @returns null if the passkey did not sign this challenge at this address */
async function counterOf(
  response: AuthenticationResponseJSON,
  expectedChallenge: string,
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  { id, publicKey, counter }: Passkey,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await webAuthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(publicKey), counter },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // The package throws for whatever does not fit.
    return null;
  }
}

/** For a known user: by a session or an invitation. */
export async function askForNewPasskey(
  sql: Sql,
  { id: rpID }: RelyingParty,
  { id, email, name }: User,
): Promise<IssuedChallenge<PublicKeyCredentialCreationOptionsJSON>> {
  const { generateRegistrationOptions } = await webAuthn();
  const options = await generateRegistrationOptions({
    rpName: 'Ringkey',
    rpID,
    userName: email,
    userDisplayName: name,
    userID: new TextEncoder().encode(id),
    excludeCredentials: (await listPasskeys(sql, id)).map((passkey) => ({ id: passkey.id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { options, token: await keepChallenge(sql, 'new_passkey', { challenge: options.challenge, userId: id }) };
}

/**
 * @param userId the future owner, the same as in the request
 * @returns null if anything is wrong
 */
export async function readNewPasskey(
  sql: Sql,
  party: RelyingParty,
  { token, answer, userId }: { token: string | null; answer: unknown; userId: User['id'] },
): Promise<Omit<Passkey, 'createdAt' | 'usedAt' | 'name'> | null> {
  const issued = await takeChallenge<{ challenge: string; userId: string }>(sql, token, 'new_passkey');
  if (issued?.userId !== userId) return null;
  const { verifyRegistrationResponse } = await webAuthn();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: answer as RegistrationResponseJSON,
      expectedChallenge: issued.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    });
    if (!verified) return null;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return { id, userId, publicKey: Buffer.from(publicKey), counter, transports };
  } catch {
    return null;
  }
}
