/** An OpenID provider that repeats in its errors what it was sent: secrets, that is. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * An OpenID provider (OpenID Connect Discovery 1.0) whose token endpoint fails, and says in its error all that it was
 * sent.
 */
export async function startEchoingProvider() {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isDiscovery = request.url?.startsWith('/.well-known/') === true;
      const sent = `${request.headers.authorization ?? ''} ${Buffer.concat(chunks)}`;
      if (!isDiscovery) heard.push(sent);
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
      // A connection that is kept would end at a time of its own.
      const headers = { 'content-type': 'application/json', connection: 'close' };
      response.writeHead(isDiscovery ? 200 : 400, headers).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    heard,
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
