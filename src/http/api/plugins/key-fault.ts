/** Says what is wrong with an Authorization header, as far as its form tells: never a part of what was sent. */
import { ApiError } from '../../../contract/errors.ts';

const OTHER_SECRETS: readonly (readonly [RegExp, string])[] = [
  [/^whsec_/, "This is a webhook endpoint's signing secret."],
  [/^(sk|pk|rk)_(test|live)_[A-Za-z0-9]{8,}$/, 'This looks like a Stripe key.'],
  [/^(EAAA|sq0)/, 'This looks like a Square token.'],
  [/^key_/, 'This is the ID of a key, not the key itself. The key is shown once, when you create it.'],
  [/^acct_/, 'This is the ID of an account, not a key.'],
];

/** @param header null where there was none */
export function malformedKey(header: string | null): ApiError {
  if (header === null) {
    return new ApiError('invalid_key', { message: 'The API key is missing. Send `Authorization: Bearer <key>`.' });
  }
  const bearer = /^bearer +(.*)$/i.exec(header)?.[1];
  if (bearer === undefined) {
    return new ApiError('invalid_key', { message: 'The Authorization header must have the form `Bearer <key>`.' });
  }
  const other = OTHER_SECRETS.find(([form]) => form.test(bearer))?.[1] ?? 'This is not a complete API key.';
  return new ApiError('invalid_key', { message: `${other} API keys start with rk_test_ or rk_live_.` });
}

/** @param key of the right form, that is nobody's, or no longer */
export function unknownKey(key: string): ApiError {
  const mode = key.startsWith('rk_live_') ? 'live' : 'test';
  return new ApiError('invalid_key', { message: `This ${mode} key does not exist, was revoked or has expired.` });
}

/** Any page that the demo's user has open could send requests without a key to this machine. */
export function keyOfOtherSite(): ApiError {
  const message = 'According to the browser, a page of another site sent this request. Send it with an API key.';
  return new ApiError('invalid_key', { message });
}
