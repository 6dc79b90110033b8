/** The branding of pay pages in requests: of the account, and of a merchant. */
import { z } from 'zod';
import { ApiError } from '../../../contract/errors.ts';
import { field } from '../../../contract/fields.ts';
import {
  type HexColor,
  type HttpsUrl,
  type PageBranding,
  parseHexColor,
  parseHttpsUrl,
} from '../../../domain/branding.ts';
import { emailAddress, phoneNumber } from '../text-schemas.ts';

const hexColor = z
  .string()
  .max(7)
  .transform((text, context): HexColor => {
    const color = parseHexColor(text);
    if (color !== null) return color;
    context.addIssue({ code: 'custom', message: 'must be # and six hexadecimal digits' });
    return z.NEVER;
  });

const MAX_URL_LENGTH = 2_048;
const urlText = z.string().max(MAX_URL_LENGTH);

/** @param meanings the description of each field */
export const brandingFields = (meanings: Readonly<Record<keyof PageBranding, string>>) => ({
  page_accent_color: field(hexColor.nullable(), meanings.accentColor, '#24569b'),
  page_support_phone: field(phoneNumber.nullable(), meanings.supportPhone, '+15550100200'),
  page_support_email: field(emailAddress.nullable(), meanings.supportEmail, 'billing@example.com'),
  page_terms_url: field(urlText.nullable(), meanings.termsUrl, 'https://example.com/terms'),
  page_privacy_url: field(urlText.nullable(), meanings.privacyUrl, 'https://example.com/privacy'),
});

type Fields = ReturnType<typeof brandingFields>;
type ChangedBranding = { [Name in keyof Fields]?: z.output<Fields[Name]> | undefined };

/** The fields that the request has. @throws ApiError `invalid_url` */
export function changedBranding(changed: ChangedBranding): Partial<PageBranding> {
  const { page_accent_color: color, page_support_phone: phone, page_support_email: email } = changed;
  const { page_terms_url: terms, page_privacy_url: privacy } = changed;
  return {
    ...(color !== undefined && { accentColor: color }),
    ...(phone !== undefined && { supportPhone: phone }),
    ...(email !== undefined && { supportEmail: email }),
    ...(terms !== undefined && { termsUrl: linkOf('page_terms_url', terms) }),
    ...(privacy !== undefined && { privacyUrl: linkOf('page_privacy_url', privacy) }),
  };
}

/** @throws ApiError `invalid_url` */
function linkOf(param: 'page_terms_url' | 'page_privacy_url', text: string | null): HttpsUrl | null {
  const url = text === null ? null : parseHttpsUrl(text);
  if (url !== null || text === null) return url;
  throw new ApiError('invalid_url', {
    param,
    message: `${param} must be an https:// URL with a host name, without a user name or password.`,
  });
}
