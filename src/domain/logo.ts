/** The logo of a merchant, as its pay pages show it. */

export const LOGO_TYPES = ['image/png', 'image/svg+xml'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

/** A logo that was rewritten from an upload: only this may be stored and served. */
export interface LogoFile {
  type: LogoType;
  bytes: Buffer;
  /** In pixels; for an SVG, its proportions. */
  width: number;
  height: number;
}

/** What a page needs to show it. */
export interface ShownLogo {
  type: LogoType;
  /** SHA-256 of the bytes, in hexadecimal. */
  hash: string;
  width: number;
  height: number;
}

const ENDINGS = { 'image/png': 'png', 'image/svg+xml': 'svg' } as const satisfies Record<LogoType, string>;

export const LOGOS_PATH = '/pay/logos';

/** Has the hash of the content, so browsers can keep it. */
export const logoPath = ({ hash, type }: Pick<ShownLogo, 'hash' | 'type'>) => `${LOGOS_PATH}/${hash}.${ENDINGS[type]}`;

/** The hash and type in the last part of a {@link logoPath}. Null for anything else. */
export function parseLogoName(name: string): Pick<ShownLogo, 'hash' | 'type'> | null {
  const [, hash, ending] = /^([0-9a-f]{64})\.(png|svg)$/.exec(name) ?? [];
  const type = LOGO_TYPES.find((each) => ENDINGS[each] === ending);
  return hash === undefined || type === undefined ? null : { hash, type };
}
