/**
 * Where a request comes from. Local requests come from this machine; a demo allows them more. Connecting from loopback
 * is not enough: so does a tunnel, and so does the browser of a user on a page whose name resolves to 127.0.0.1 (DNS
 * rebinding).
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import { isLoopbackHost } from '../../../lib/http-client/public-addresses.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its Host is loopback, and no header says that it was forwarded. */
    isLocal: boolean;
  }
}

export interface LocalRequestsDeps {
  /** Hosts accepted in addition to loopback, such as that of RINGKEY_PUBLIC_URL. Null accepts every host. */
  allowedHosts?: readonly string[] | null;
}

/** Headers that proxies, tunnels, service meshes and CDNs add when they forward a request. */
const FORWARDING = [
  /^(x-)?forwarded(-.+)?$/,
  /^via$/,
  /^cdn-loop$/,
  /^(.+-)?client-ip$/,

  /^x-(real|remote)-(ip|addr)$/,
  /^x-original-(forwarded-for|host|url)$/,
  /^x-amzn-trace-id$/,
  /^x-cloud-trace-context$/,
  /^(cf|fly|ngrok|fastly|akamai|x-(envoy|azure|appengine|vercel|nf|amz-cf))-.+$/,
];

/** Sets `request.isLocal` and rejects requests to other hosts. Call it before {@link authenticate}. */
export function markLocalRequests(app: FastifyInstance, { allowedHosts = null }: LocalRequestsDeps): void {
  app.decorateRequest('isLocal', false);
  app.addHook('onRequest', (request, _reply, done) => {
    const host = hostName(request.headers.host);
    const isLoopback = isLoopbackHost(host);
    request.isLocal = isLoopback && !isForwarded(request.headers);
    const isOurs = allowedHosts === null || isLoopback || allowedHosts.includes(host);
    done(isOurs ? undefined : foreignHost());
  });
}

/** The deps for one request: private targets may be allowed for local requests only. */
export function targetsFor<T extends { privateTargets: boolean; privateTargetsLocally?: boolean }>(
  { isLocal }: Pick<FastifyRequest, 'isLocal'>,
  deps: T,
): T {
  return { ...deps, privateTargets: deps.privateTargets && (isLocal || deps.privateTargetsLocally !== true) };
}

/** Whether a proxy or tunnel has forwarded the request. */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some((name) => FORWARDING.some((pattern) => pattern.test(name)));
}

/** Without port and brackets. Empty if there is none. */
function hostName(header = ''): string {
  return header
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}

function foreignHost(): ApiError {
  const message =
    'A demo on loopback only answers requests from this machine, such as to 127.0.0.1. To allow others, set RINGKEY_PUBLIC_URL to the address that they use.';
  return new ApiError('invalid_value', { param: 'Host', message });
}

type BrowserRequest = Pick<FastifyRequest, 'headers' | 'host'>;

/**
 * Whether a request may have come from one of our pages. The browser sets `Sec-Fetch-Site`, or at least `Origin`, and a
 * page of another site cannot change them. A request with neither is accepted: it comes from a program or an old browser.
 */
export function isFromOurPage(request: BrowserRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  return site === undefined ? !isOfOtherOrigin(request) : site === 'same-origin' || site === 'none';
}

/** Requires that both headers agree: a proxy or an extension may have changed one of them. */
export function isStrictlyFromOurPage(request: BrowserRequest): boolean {
  return isFromOurPage(request) && !isOfOtherOrigin(request);
}

function isOfOtherOrigin({ headers: { origin }, host }: BrowserRequest): boolean {
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
}
