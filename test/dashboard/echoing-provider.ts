/** An OpenID provider that repeats the secrets that it was sent in its errors. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves OpenID Connect Discovery 1.0, and a token endpoint that fails with everything that it was sent. */
export async function startEchoingProvider() {
  const received: string[] = [];
  const server = createServer((request, response) => {
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isDiscovery = request.url?.startsWith('/.well-known/') === true;
      const sent = `${request.headers.authorization ?? ''} ${Buffer.concat(chunks)}`;
      if (!isDiscovery) received.push(sent);
      const body = isDiscovery
        ? {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/keys`,
            response_types_supported: ['code'],
            subject_types_supported: ['public'],
            id_token_signing_alg_values_supported: ['RS256'],
          }
        : { error: 'invalid_grant', error_description: sent };
      // A kept-alive connection would close at an unpredictable time.
      const headers = { 'content-type': 'application/json', connection: 'close' };
      response.writeHead(isDiscovery ? 200 : 400, headers).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    heard: received,
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
