import { expect, test } from 'vitest';
import { newPayCodes } from '../../../domain/ids.ts';
import { linkTextOf } from '../words.ts';
import { createLogCarrier } from './carrier.ts';

test.each(['en-US', 'es-ES', 'fr-FR', 'de-DE'])(
  'the log shows a text in %s, but not the way to pay',
  async (language) => {
    const logged: unknown[] = [];
    const carrier = createLogCarrier({ info: (fields: unknown) => void logged.push(fields) }, true);
    const { short } = newPayCodes();
    const link = `https://pay.example.com/p/${short}`;
    const amount = { amountCents: 4_250, currency: 'USD' } as const;
    const body = linkTextOf({ businessName: 'Demo Diner', amount, link, language });
    const text = { id: 'txt_1', kind: 'pay_link', to: '+15550101234', body, firstSentAt: new Date() };
    expect(await carrier.send(text, new AbortController().signal)).toMatchObject({ status: 'accepted' });
    expect(JSON.stringify(logged)).not.toContain(short);
    expect(logged).toMatchObject([
      { to: '+15550101234', text: expect.stringContaining('https://pay.example.com/p/… ') },
    ]);
  },
);
