/** Errors of things that exist, but not for the key that asks: of the other mode, or of no merchant at all. */
import { parseId } from '../domain/ids.ts';
import type { Mode } from '../domain/session.ts';
import { ApiError } from './errors.ts';

export const otherModeOf = (mode: Mode): Mode => (mode === 'test' ? 'live' : 'test');

/**
 * The account has it, in the mode that the key is not of.
 * @param mode of the key @param what `The merchant `mer_…``
 */
export function ofOtherMode(mode: Mode, what = 'This resource'): ApiError {
  const other = otherModeOf(mode);
  const message = `${what} belongs to ${other} mode, but this key belongs to ${mode} mode. Use a key of ${other} mode.`;
  return new ApiError('invalid_key', { message });
}

/** @param text what the client sent for an id: repeated only if it has the form of one */
export function merchantNotFound(text: string): ApiError {
  const named = isShown(text) ? `the ID \`${text}\`` : 'this ID';
  const message = `No merchant of this account has ${named}. \`GET /v1/merchants\` lists the merchants of the key's mode.`;
  return new ApiError('merchant_not_found', { param: 'merchant_id', message });
}

/** @param id of a merchant of the account */
export const merchantOfOtherMode = (mode: Mode, id: string) => ofOtherMode(mode, `The merchant \`${id}\``);

/** Long runs of digits may be a card number in the wrong field. */
const isShown = (text: string) => parseId('Merchant', text) !== null && !/\d{8}/.test(text);
