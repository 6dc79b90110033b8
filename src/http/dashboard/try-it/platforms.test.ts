import { expect, test } from 'vitest';
import { DOCS_PAGES } from '../../docs/pages.ts';
import { PLATFORMS } from './platforms.ts';
import { snippetsOf } from './snippet.ts';

const CALL = {
  order: { caller: '+15550101234' },
  checkout: {
    merchantId: 'mer_demo_diner',
    amountCents: 4250,
    agentMessage: 'One moment.',
    returnTo: null,
    transferTo: 'sip:cs_wj3degzdpcf54erf5dhqd3dqci-u4jhvmgnzgedp95w77zvrmrfv9@pay.example.com',
  },
};

test.each([...PLATFORMS.keys()])('shows the transfer with %s without the token, and links its page', (name) => {
  const platform = PLATFORMS.get(name) ?? null;
  expect(DOCS_PAGES.map(({ path }) => path)).toContain(platform?.page);
  const [, transfer] = snippetsOf(CALL as never, 'http://127.0.0.1:8080', platform);
  expect(transfer?.title).toContain(platform?.title);
  expect(transfer?.code).toMatch(/transfer_to|cs_wj3degzdpcf54erf5dhqd3dqci-…@pay\.example\.com/);
  expect(transfer?.code).not.toContain('u4jhvmgnzgedp95w77zvrmrfv9');
});
