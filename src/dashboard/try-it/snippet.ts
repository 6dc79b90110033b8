/** What an integrator needs for a call such as this one, with its values: the request, the transfer, what comes back. */
import type { TestCall } from './ports.ts';

export interface Snippet {
  title: string;
  /** What it is for. */
  about: string;
  code: string;
}

/** The transfer address with its token cut: the token pays one session, and is nobody else's. */
export function shownAddress(transferTo: string): string {
  return transferTo.replace(/-[a-z0-9]+@/i, '-…@');
}

/** @param origin of this service as the reader reaches it, `http://127.0.0.1:8080` */
export function snippetsOf({ checkout, order }: Pick<TestCall, 'checkout' | 'order'>, origin: string): Snippet[] {
  return [
    {
      title: '1. Open a checkout',
      about: 'A tool of the agent, when the order is ready to pay.',
      code: curlOf(checkout, order.caller, origin),
    },
    {
      title: '2. Say the line, transfer the call',
      about: 'agent_message word for word, then transfer_to: by SIP REFER, or by dialling it and joining the two.',
      code: transferOf(checkout),
    },
    {
      title: '3. Take the caller back',
      about: 'The call comes to return_to with headers that tell the outcome; the webhook has the last word.',
      code: HANDLER,
    },
  ];
}

function curlOf(checkout: TestCall['checkout'], caller: string, origin: string): string {
  const returnTo = checkout.returnTo ?? 'sip:agent@voice.example.com';
  const body = {
    ...{ merchant_id: checkout.merchantId, amount_cents: checkout.amountCents },
    ...{ caller_phone: caller, return_to: returnTo },
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

const HANDLER = `// The INVITE that comes to return_to
const outcome = invite.header('X-Ringkey-Outcome');
switch (outcome) {
  case 'succeeded':
    return agent.say('Thank you, that is paid.');
  case 'pending':
    // Never charge again: the webhook brings the outcome.
    return agent.say('Your payment is being confirmed.');
  case 'failed':
    // X-Ringkey-Decline-Code, X-Ringkey-Reason say why.
    return agent.say('That did not work. Shall we try again?');
  default:
    return agent.goOn();
}`;
