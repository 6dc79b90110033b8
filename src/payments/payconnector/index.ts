/**
 * A merchant's own pay connector: the endpoint that Twilio's `<Pay>` sends keyed cards to. Keypad only. It has no saved
 * cards, refunds or lists.
 */
import { newId } from '../../domain/ids.ts';
import type { ProcessorAccess } from '../port/credentials.ts';
import type { ConnectionCheck, Processor } from '../port/processor.ts';
import { chargeByConnector, faultOf } from './charge.ts';
import { connectors, type OpenConnector } from './client.ts';
import { type ConnectorOptions, connectorCredentials } from './credentials.ts';
import { lookUpAtConnector, readTransaction } from './look-up.ts';
import { CONNECTOR_TEST_DATA } from './test-data.ts';

/** The documentation asks connectors to answer a lookup from what they have received. This is a margin for them. */
const LOOK_UP_LAG_MS = 120_000;

export function createPayConnector(options: ConnectorOptions = {}): Processor {
  const open = connectors(options);
  return {
    name: 'payconnector',
    can: {
      keypad: true,
      savedCards: false,
      pageTokens: false,
      wallets: false,
      namesWallets: false,
      pageKeypad: false,
    },
    modes: ['test', 'live'],
    lookUpLagMs: LOOK_UP_LAG_MS,
    credentialsSchema: () => connectorCredentials(options),
    needsCredentials: true,
    testData: CONNECTOR_TEST_DATA,
    wallet: null,
    refunds: null,
    holds: null,
    records: null,
    notifications: null,
    actions: null,
    // It has no tokens.
    tokenForm: /^(?!)/,
    tokenization: () => null,
    page: () => null,
    checkConnection: (mode, credentials, signal) => checkConnection(open, { mode, credentials }, signal),
    charge: (request, signal) => chargeByConnector(open, request, signal),
    lookUp: (request, signal) => lookUpAtConnector(open, request, signal),
  };
}

/** Looks up a charge that does not exist; otherwise a GET, which must change nothing (RFC 9110, 9.2.1), tests the login. */
async function checkConnection(
  open: OpenConnector,
  access: ProcessorAccess,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  try {
    const connector = await open(access, signal);
    const found = await readTransaction(connector, newId('Charge'));
    if (found === null) await connector.get(new URL(connector.urls.url));
    return { status: found === null || found.status === 'not_found' ? 'ok' : 'unavailable' };
  } catch (error) {
    return { status: faultOf(error).kind === 'credentials' ? 'invalid' : 'unavailable' };
  }
}
