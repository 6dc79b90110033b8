/** A DNS server on loopback that answers SRV queries (RFC 1035, RFC 2782) over UDP. */
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { SrvRecord } from '../../src/phone/freeswitch/media-lookup.ts';

/** How it answers: with its records, with an error code, or not at all. */
type Manner = 'records' | 'nxdomain' | 'servfail' | 'silence';

export interface DnsServer {
  /** The records of every name. Name '': the root. */
  records: readonly SrvRecord[];
  manner: Manner;
  /** Queries so far. */
  readonly queries: number;
  /** Resolves through this server. */
  resolveSrv(name: string): Promise<SrvRecord[]>;
  close(): Promise<void>;
}

const RESPONSE_FLAGS = 0x8580;
const CODES = { records: 0, servfail: 2, nxdomain: 3 } as const;
const SRV = 33;
const INTERNET = 1;
const TTL_SECONDS = 60;
const HEADER_BYTES = 12;
/** For an answer that does not come. */
const TIMEOUT_MS = 250;

export async function startDnsServer(records: readonly SrvRecord[] = []): Promise<DnsServer> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  let queries = 0;
  const server: DnsServer = {
    records,
    manner: 'records',
    get queries() {
      return queries;
    },
    resolveSrv(name) {
      // A resolver keeps no answer for the next one, and one whose query fails marks its server as bad.
      const resolver = new Resolver({ timeout: server.manner === 'silence' ? TIMEOUT_MS : 10_000, tries: 2 });
      resolver.setServers([`127.0.0.1:${socket.address().port}`]);
      return resolver.resolveSrv(name);
    },
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
  socket.on('message', (query, { port, address }) => {
    queries += 1;
    if (server.manner === 'silence') return;
    socket.send(answerTo(query, server.records, CODES[server.manner]), port, address);
  });
  return server;
}

/** @param query one with a single question */
function answerTo(query: Buffer, records: readonly SrvRecord[], code: number): Buffer {
  const question = query.subarray(HEADER_BYTES, endOfQuestion(query));
  const answers = code === 0 ? records.map((record) => resourceRecord(question.subarray(0, -4), record)) : [];
  const header = numbers(query.readUInt16BE(0), RESPONSE_FLAGS | code, 1, answers.length, 0, 0);
  return Buffer.concat([header, question, ...answers]);
}

function endOfQuestion(query: Buffer): number {
  let at = HEADER_BYTES;
  while (query.readUInt8(at) !== 0) at += query.readUInt8(at) + 1;
  return at + 5;
}

function resourceRecord(owner: Buffer, { name, port, priority, weight }: SrvRecord): Buffer {
  const data = Buffer.concat([numbers(priority, weight, port), encodedName(name)]);
  return Buffer.concat([owner, numbers(SRV, INTERNET, 0, TTL_SECONDS, data.length), data]);
}

/** Big-endian, 16 bits each. */
function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value, at * 2);
  return bytes;
}

function encodedName(name: string): Buffer {
  const labels = name === '' ? [] : name.split('.');
  return Buffer.concat([
    ...labels.map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.alloc(1),
  ]);
}
