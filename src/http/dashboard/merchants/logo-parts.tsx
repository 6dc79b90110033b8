/** The logo of a merchant on the dashboard's pages. */
import type { MerchantResource } from '../../../contract/merchants.ts';
import { parseLogoName, type ShownLogo } from '../../../domain/logo.ts';
import type { MerchantLogo } from '../../api/routes/merchant-logo.ts';
import { Block } from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { logoWords } from './words/logo/index.ts';

type Shown = MerchantLogo['logo'];

export const logoPath = (visit: Visit<'id'>) => `/v1/merchants/${idInPath(visit)}/logo`;

export const readLogo = async (visit: Visit<'id'>) => (await visit.ask<MerchantLogo>({ path: logoPath(visit) })).logo;

/** For the sample pay page. Null without a logo, or without an address of pay links. */
export function shownLogo(logo: Shown): ShownLogo | null {
  const named = parseLogoName(logo?.url?.split('/').at(-1) ?? '');
  return logo === null || named === null ? null : { ...named, width: logo.width, height: logo.height };
}

/** On the page of the merchant. */
export function LogoBlock({ visit, merchant, logo }: { visit: Visit; merchant: MerchantResource; logo: Shown }) {
  const w = logoWords();
  return (
    <Block title={w.title}>
      <CurrentLogo logo={logo} />
      <p>
        <a class="button" href={`${visit.base}/setup/merchants/${merchant.merchant_id}/logo`}>
          {logo === null ? w.add : w.change}
        </a>
      </p>
    </Block>
  );
}

/** From this host, which also serves pay pages: the policy allows no images of others. */
export function CurrentLogo({ logo }: { logo: Shown }) {
  const w = logoWords();
  if (logo === null) return <p>{w.none}</p>;
  const { url, width, height } = logo;
  if (url === null) return <p>{w.withoutAddress}</p>;
  return (
    <p>
      <img class="logo" src={new URL(url).pathname} alt={w.current} width={width} height={height} />
    </p>
  );
}
