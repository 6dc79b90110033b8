/** The certificates of the service that end soon, below the live calls. */
import type { EndingCertificate } from '../../../db/attention/certificates.ts';
import { Badge, Block, Facts, Time } from '../page/parts.tsx';
import { nowWords } from './words/index.ts';

export function EndingCertificates({ certificates }: { certificates: readonly EndingCertificate[] }) {
  if (certificates.length === 0) return null;
  const w = nowWords().certificates;
  return (
    <Block title={w.title} id="certificates">
      <Facts
        facts={certificates.map(({ name, validUntil, isOver }) => [
          name,
          <>
            <Badge status="certificate" name={isOver ? w.expired : w.expires} tone={isOver ? 'bad' : 'wait'} />{' '}
            <Time at={validUntil.toISOString()} full />
          </>,
        ])}
      />
      <p class="quiet small">{w.todo}</p>
    </Block>
  );
}
