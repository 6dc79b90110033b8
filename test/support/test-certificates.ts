/**
 * Creates certificates and PASSporTs for tests: X.509 (RFC 5280) in DER, encoded here because Node's crypto can only
 * read them.
 */
import { createSign, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { CompactSign } from 'jose';

interface TestCertificate {
  pem: string;
  certificate: X509Certificate;
  privateKey: KeyObject;
  name: string;
}

export interface CertificateSettings {
  name: string;
  /** Default: self-signed. */
  issuer?: TestCertificate;
  isAuthority?: boolean;
  /** RFC 8226. Default: true unless it is an authority. */
  hasTnAuthList?: boolean;
  /** For TLS: it is valid for 127.0.0.1. */
  isOfLoopback?: boolean;
  curve?: 'P-256' | 'P-384';
  notBefore?: Date;
  notAfter?: Date;
}

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const size = body.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (date: Date) => der(0x18, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`));
const nameOf = (text: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))));
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content);
const critical = der(0x01, Buffer.from([0xff]));
const extension = (id: string, content: Buffer) => sequence(oid(id), critical, der(0x04, content));

let serial = 1;

export function makeCertificate(settings: CertificateSettings): TestCertificate {
  const { name, issuer, isAuthority = false, hasTnAuthList = !isAuthority, curve = 'P-256' } = settings;
  const { isOfLoopback = false } = settings;
  const { notBefore = new Date(Date.now() - DAY_MS), notAfter = new Date(Date.now() + DAY_MS) } = settings;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: curve });
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const extensions = [
    extension('551d13', sequence(...(isAuthority ? [critical] : []))),
    ...(isOfLoopback ? [extension('551d11', sequence(der(0x87, Buffer.from([127, 0, 0, 1]))))] : []),
    // One service provider code.
    ...(hasTnAuthList ? [extension('2b0601050507011a', sequence(der(0xa0, der(0x16, Buffer.from('1234')))))] : []),
  ];
  serial += 1;
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([serial])),
    algorithm,
    nameOf(issuer?.name ?? name),
    sequence(time(notBefore), time(notAfter)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = createSign('sha256')
    .update(toBeSigned)
    .sign(issuer?.privateKey ?? privateKey);
  const raw = sequence(toBeSigned, algorithm, bits(signature));
  const pem = `-----BEGIN CERTIFICATE-----\n${raw.toString('base64')}\n-----END CERTIFICATE-----\n`;
  return { pem, certificate: new X509Certificate(raw), privateKey, name };
}

/** A PASSporT in its full form (RFC 8225), as an Identity header has it (RFC 8224). */
export async function identityHeader(
  privateKey: KeyObject,
  header: { x5u: string } & Record<string, unknown>,
  claims: object,
): Promise<string> {
  const full = { alg: 'ES256', ppt: 'shaken', typ: 'passport', ...header };
  const token = await new CompactSign(Buffer.from(JSON.stringify(claims))).setProtectedHeader(full).sign(privateKey);
  return `${token};info=<${header.x5u}>;alg=ES256;ppt="${full.ppt}"`;
}
