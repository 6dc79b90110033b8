/** The error of a file that cannot be a logo, and the size of one that can. */
import { ApiError } from '../../contract/errors.ts';

/** 50 KiB. */
export const MAX_LOGO_BYTES = 50 * 1024;

/** @param message what is wrong and what to do; repeats only names that {@link shownName} has checked */
export function wrongLogo(message: string): ApiError {
  return new ApiError('invalid_value', { param: 'body', message });
}

/** A name of the file, if it is harmless to repeat. */
export const shownName = (name: string) => (/^[\w:-]{1,40}$/.test(name) ? ` \`${name}\`` : '');
