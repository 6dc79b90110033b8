/** The examples of the page of SIP headers, made by the code that sends the headers. */
import { type OutcomeFacts, outcomeHeaders, referToUri } from '../../../domain/outcome.ts';
import { EXAMPLE_TIME, outcomeExample, RETURN_TO, SIP_SECRET } from '../examples.ts';

const PAID = outcomeExample({ kind: 'succeeded' });
const DECLINED = outcomeExample({ kind: 'failed', reason: 'declined', declineCode: 'insufficient_funds' });

/** The INVITE of a bridge after a payment: the headers as sent, without those of SIP itself. */
function invite(facts: OutcomeFacts): string {
  const lines = Object.entries(outcomeHeaders(facts, SIP_SECRET, EXAMPLE_TIME)).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`INVITE ${RETURN_TO} SIP/2.0`, '…', ...lines].join('\n');
}

function refer(facts: OutcomeFacts): string {
  const headers = Object.entries(outcomeHeaders(facts, SIP_SECRET, EXAMPLE_TIME));
  const inside = referToUri(RETURN_TO, facts, { ownHeaders: {}, secret: SIP_SECRET, at: EXAMPLE_TIME });
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return ['REFER sip:caller@203.0.113.7:5060 SIP/2.0', '…', `Refer-To: <${inside}>`, ...lines].join('\n');
}

export const bridgeExample = () => invite(PAID);
export const referExample = () => refer(DECLINED);
