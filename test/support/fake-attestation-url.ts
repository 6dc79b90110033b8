/** An integrator's attestation URL as in /docs/screening. Strict: an invalid request is a violation. */
import { Webhook } from 'standardwebhooks';
import {
  type FakeVendorServer,
  startFakeVendorServer,
  type VendorReply,
  type VendorRequest,
} from './fake-vendor-server.ts';

interface FakeAttestationUrl extends FakeVendorServer {
  /** The answers for requests about each call. Other calls: 404. */
  calls: Map<string, VendorReply>;
  violations: string[];
}

/** @param secret of the signatures, base64 */
export async function startFakeAttestationUrl(secret: string): Promise<FakeAttestationUrl> {
  const calls: FakeAttestationUrl['calls'] = new Map();
  const violations: string[] = [];
  const server = await startFakeVendorServer((request) => {
    const wrong = violationOf(request, secret);
    if (wrong !== null) violations.push(wrong);
    const { platform_call_id } = JSON.parse(request.body) as { platform_call_id: string };
    return calls.get(platform_call_id) ?? { status: 404, body: {} };
  });
  return { ...server, calls, violations };
}

function violationOf({ method, headers, body }: VendorRequest, secret: string): string | null {
  if (method !== 'POST' || headers['content-type'] !== 'application/json')
    return `${method} of ${headers['content-type']}`;
  try {
    const question = new Webhook(secret).verify(body, headers as Record<string, string>) as object;
    const members = Object.keys(question).join(' ');
    return members === 'platform_call_id caller_phone mode' ? null : `members ${members}`;
  } catch {
    return 'signature';
  }
}
