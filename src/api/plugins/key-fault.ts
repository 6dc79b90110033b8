/** Says what is wrong with an Authorization header, as far as its form tells: never a part of what was sent. */
import { ApiError } from '../../contract/errors.ts';

const OTHER_SECRETS: readonly (readonly [RegExp, string])[] = [
  [/^whsec_/, "That is a webhook endpoint's signing secret."],
  [/^(sk|pk|rk)_(test|live)_[A-Za-z0-9]{8,}$/, 'That looks like a Stripe key.'],
  [/^(EAAA|sq0)/, 'That looks like a Square token.'],
  [/^key_/, 'That is the id of a key, not the key: the key itself is shown once, when it is made.'],
  [/^acct_/, 'That is the id of an account, not a key.'],
];

/** @param header null where there was none */
export function malformedKey(header: string | null): ApiError {
  if (header === null) {
    return new ApiError('invalid_key', { message: 'There is no API key: send `Authorization: Bearer <key>`.' });
  }
  const bearer = /^bearer +(.*)$/i.exec(header)?.[1];
  if (bearer === undefined) {
    return new ApiError('invalid_key', { message: 'The Authorization header is not of the form `Bearer <key>`.' });
  }
  const other = OTHER_SECRETS.find(([form]) => form.test(bearer))?.[1] ?? 'This is not a whole API key.';
  return new ApiError('invalid_key', { message: `${other} Keys begin with rk_test_ or rk_live_.` });
}

/** @param key of the right form, that is nobody's, or no longer */
export function unknownKey(key: string): ApiError {
  const mode = key.startsWith('rk_live_') ? 'live' : 'test';
  return new ApiError('invalid_key', { message: `There is no such ${mode} key, or it was revoked or has expired.` });
}
