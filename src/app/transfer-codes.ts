/** Transfer codes for the phone role: their hash, and the limits of guessing one. */
import { hashTransferCode } from '../checkout/transfer-code.ts';
import { Secret } from '../domain/secret.ts';
import { limitGuesses, type RateLimiter } from '../http/api/rate-limiter.ts';
import type { Fingerprint } from '../lib/vault/fingerprint.ts';
import type { CodeCaller, TransferCodes } from '../phone/deps.ts';

export function createTransferCodes(fingerprint: Fingerprint, rateLimiter: RateLimiter): TransferCodes {
  const [callers, accounts] = [limitGuesses(rateLimiter, 'transferCode'), limitGuesses(rateLimiter, 'accountCode')];
  // Redis gets no phone numbers.
  const clientOf = ({ accountId, trunk, number }: CodeCaller) => {
    const secret = Secret.of(`${trunk} ${number}`);
    const hash = fingerprint(accountId, 'calling_number', secret);
    secret.wipe();
    return hash.toString('base64url');
  };
  return {
    hash: (accountId, code) => hashTransferCode(fingerprint, accountId, code),
    async mayTry(caller) {
      const refusals = [callers.refusal(clientOf(caller)), accounts.refusal(caller.accountId)];
      return (await Promise.all(refusals)).every((refusal) => refusal === null);
    },
    async countWrong(caller) {
      await Promise.all([callers.count(clientOf(caller)), accounts.count(caller.accountId)]);
    },
  };
}
