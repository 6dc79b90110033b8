/** Calls to the payment line of a running product, made and answered by SIPp. */
import { expect } from 'vitest';
import { testCard } from '../../src/payments/sandbox/cards.ts';
import { AgentScenario } from '../sipp/agent-scenario.ts';
import { CallerScenario, type CallerScenarioOptions } from '../sipp/caller-scenario.ts';
import { type Checkout, createCheckout } from './checkouts.ts';
import { readUserToUser, verifyOutcomeHeaders } from './outcome-headers.ts';
import type { TestProduct } from './product.ts';
import { runCaller, type Sipp, type SippOptions, type SippRun, startCallee } from './sipp.ts';
import { turnToCall } from './turn-to-call.ts';

/** All keys of a card at once: number, a future expiry and a security code (type-ahead across all fields). */
export function cardKeys(name: string, securityCode = '123'): string {
  return `${testCard(name).number}1230${securityCode}`;
}

/** An agent URI without a listener, for calls whose REFER is not followed. */
export const UNREACHABLE_AGENT_URI = 'sip:agent@127.0.0.1:9';

interface FinishedCall {
  checkout: Checkout;
  /** The caller's side. */
  run: SippRun;
}

/** `host:port` of a SIP URI, with the default port if the URI omits it. */
export function hostOf(uri: string): string {
  const host = uri.replace(/^sip:(?:[^@]*@)?/, '').replace(/[;?].*$/, '');
  return host.includes(':') ? host : `${host}:5060`;
}

/** Calls the checkout and plays a caller scenario to its end. */
export async function placeCall(
  checkout: Checkout,
  steps: (caller: CallerScenario) => CallerScenario,
  options: CallerScenarioOptions & Omit<SippOptions, 'scenario' | 'remote'> = {},
): Promise<SippRun> {
  const caller = new CallerScenario(checkout.transferTo, options);
  const { xml: scenario, files } = steps(caller);
  return runCaller({ ...options, scenario, files, remote: hostOf(checkout.transferTo) });
}

/** Creates a checkout and calls it. */
export async function createCheckoutAndCall(
  product: Pick<TestProduct, 'baseUrl'>,
  fields: Record<string, unknown>,
  steps: (caller: CallerScenario) => CallerScenario,
  options: CallerScenarioOptions & Omit<SippOptions, 'scenario' | 'remote'> = {},
): Promise<FinishedCall> {
  const checkout = await createCheckout(product, fields);
  await turnToCall();
  return { checkout, run: await placeCall(checkout, steps, options) };
}

/** Starts a SIPp agent that waits for the returned call; `returnTo` is its URI. */
export async function startSippAgent(
  steps: (agent: AgentScenario) => AgentScenario,
  options: Omit<SippOptions, 'scenario'> = {},
): Promise<{ sipp: Sipp; returnTo: string }> {
  const sipp = await startCallee({ ...options, scenario: steps(new AgentScenario()).xml });
  return { sipp, returnTo: `sip:agent@${sipp.address}` };
}

/** Expects complete outcome headers, signed with the demo account's secret, and the same content in User-to-User. */
export async function expectSignedOutcome(
  { testDatabase }: TestProduct,
  headers: Record<string, string>,
): Promise<void> {
  const { rows } = await testDatabase.database.query<{ header_signing_secret: string }>(
    `select header_signing_secret from accounts where id = 'acct_demo'`,
  );
  const secret = rows[0]?.header_signing_secret ?? '';
  expect(verifyOutcomeHeaders(headers, secret, new Date())).toBe(true);
  const { 'User-to-User': userToUser = '', ...plain } = headers;
  expect(readUserToUser(userToUser)).toEqual(plain);
}

/** The URI headers of a Refer-To (RFC 3261, 19.1.1), unescaped. */
export function uriHeaders(referTo: string): Record<string, string> {
  const query = /\?([^>]*)>?$/.exec(referTo)?.[1] ?? '';
  const pairs = query.split('&').filter((pair) => pair !== '');
  return Object.fromEntries(pairs.map((pair) => pair.split('=').map(decodeURIComponent)));
}
