/** A real OpenID provider on loopback (`oidc-provider`), with one person. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import type { OidcSettings } from '../../src/accounts/users/oidc.ts';

export interface TestOidcProvider {
  settings: OidcSettings;
  /** The person's claims, and how the provider behaves from now on. */
  person: {
    email: string | undefined;
    email_verified: boolean;
    isDown: boolean;
    /** Shows a page to sign in or to turn back. If false, the person is signed in at once. */
    asks: boolean;
    /** How many seconds ago the person signed in at the provider. With a lower `max_age` they have to sign in again. */
    signedInSecondsAgo: number;
  };
  /** Starts to respond. @param site where the browser is sent back to. Its port is not known earlier. */
  serve(site: string): void;
  close(): Promise<void>;
}

const CLIENT = { clientId: 'ringkey', clientSecret: 'a secret of the client of 32 bytes' };

export async function startOidcProvider(): Promise<TestOidcProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const person: TestOidcProvider['person'] = {
    email: '',
    email_verified: true,
    isDown: false,
    asks: false,
    signedInSecondsAgo: 0,
  };
  return {
    settings: { issuer, ...CLIENT, name: 'Example ID' },
    person,
    serve(site) {
      const provider = createProvider(issuer, site, person);
      const answer = provider.callback();
      server.on('request', (request, response) => {
        if (person.isDown) return void response.writeHead(503).end();
        if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
        void interact(provider, person, request, response);
      });
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

function createProvider(issuer: string, site: string, person: TestOidcProvider['person']): Provider {
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [`${site}/dashboard/sign-in/oidc/callback`],
        // Allows plain http with any port.
        application_type: 'native',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: async () => ({ sub: accountId, email: person.email, email_verified: person.email_verified }),
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  return provider;
}

/** Serves `/interaction/<uid>`, the page to sign in, and its answers `?yes` and `?no`. */
async function interact(
  provider: Provider,
  { asks, signedInSecondsAgo }: TestOidcProvider['person'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '', given] = (request.url ?? '').split('?', 2);
  if (asks && given === undefined) {
    const page = `<!doctype html><title>Example ID</title><a href="${path}?yes">Sign in</a> <a href="${path}?no">Turn back</a>`;
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    return;
  }
  const result =
    given === 'no'
      ? { error: 'access_denied', error_description: 'the person has turned back' }
      : { login: { accountId: 'person', ts: Math.floor(Date.now() / 1_000) - signedInSecondsAgo }, consent: {} };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}
