/** Code for a call like this one, with its values: the request, the transfer, the return. */
import { purposeOf } from './order.ts';
import type { PlatformTransfer } from './platforms.ts';
import type { TestCall } from './ports.ts';
import { findScript } from './scripts.ts';
import { tryWords } from './words/index.ts';

export interface Snippet {
  title: string;
  /** What it is for. */
  about: string;
  code: string;
}

/** The transfer address without its token, which gives access to the session. */
export function shownAddress(transferTo: string): string {
  return transferTo.replace(/-[a-z0-9]+@/i, '-…@');
}

/**
 * @param origin of this service as the reader reaches it, `http://127.0.0.1:8080`
 * @param platform the reader's, for the transfer. Null shows SIP and TwiML.
 */
export function snippetsOf(
  { checkout, order }: Pick<TestCall, 'checkout' | 'order'>,
  origin: string,
  platform: PlatformTransfer | null,
): Snippet[] {
  const w = tryWords().snippets;
  return [
    { ...w.create, code: curlOf(checkout, order, origin) },
    {
      ...(platform === null ? w.transfer : w.platformTransfer(platform.title)),
      code: platform === null ? transferOf(checkout) : platform.code(shownAddress(checkout.transferTo)),
    },
    { ...w.back, code: HANDLER },
  ];
}

function curlOf(checkout: TestCall['checkout'], { caller, script }: TestCall['order'], origin: string): string {
  const returnTo = checkout.returnTo ?? 'sip:agent@voice.example.com';
  const body = {
    merchant_id: checkout.merchantId,
    ...purposeOf({ checkout: findScript(script)?.checkout ?? 'payment', amountCents: checkout.amountCents }),
    caller_phone: caller,
    return_to: returnTo,
  };
  return [
    `curl -s ${origin}/v1/create_checkout \\`,
    '  -H "Authorization: Bearer $RINGKEY_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`,
  ].join('\n');
}

function transferOf({ transferTo, agentMessage }: TestCall['checkout']): string {
  return [
    `// say: ${agentMessage}`,
    'REFER sip:caller@trunk.example.com SIP/2.0',
    `Refer-To: <${shownAddress(transferTo)}>`,
    '',
    '<!-- or, in TwiML -->',
    `<Dial><Sip>${shownAddress(transferTo)}</Sip></Dial>`,
  ].join('\n');
}

const HANDLER = `// The INVITE to return_to
const outcome = invite.header('X-Ringkey-Outcome');
switch (outcome) {
  case 'succeeded':
    return agent.say('Thank you, that is paid.');
  case 'pending':
    // Don't charge again: the webhook reports the outcome.
    return agent.say('Your payment is being confirmed.');
  case 'failed':
    // See X-Ringkey-Decline-Code and X-Ringkey-Reason.
    return agent.say('That did not work. Shall we try again?');
  default:
    return agent.goOn();
}`;
