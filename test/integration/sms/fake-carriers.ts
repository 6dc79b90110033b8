/** Fake Twilio and Telnyx servers: accept only documented requests, and return documented responses. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeCarrier {
  baseUrl: string;
  /** The texts accepted. */
  texts: { id: string; to: string; body: string; at: Date; reportTo: string | null }[];
  /** The fault of the next request only. */
  next: CarrierFault | null;
  requests: string[];
  close(): Promise<void>;
}

export type CarrierFault =
  | { type: 'answer'; status: number; json: unknown; headers?: Record<string, string> }
  /** Accepts the text and breaks the connection. */
  | { type: 'take_and_reset' }
  | { type: 'reset' }
  | { type: 'take_and_garble' };

export const TWILIO = { accountSid: 'AC00000000000000000000000000000001', authToken: '12345', from: '+15550109999' };
export const TELNYX = { apiKey: 'KEY0123456789', from: '+15550109999' };

type Handle = (request: IncomingMessage, body: string, fakeCarrier: FakeCarrier) => { status: number; json: unknown };

async function open(handle: Handle): Promise<FakeCarrier> {
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => answer(request, response, body));
  });
  const fakeCarrier: FakeCarrier = {
    baseUrl: '',
    texts: [],
    next: null,
    requests: [],
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fakeCarrier.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fakeCarrier;

  function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    fakeCarrier.requests.push(`${request.method} ${request.url?.split('?')[0]}`);
    const fault = fakeCarrier.next;
    fakeCarrier.next = null;
    if (fault?.type === 'answer') {
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
      response.end(JSON.stringify(fault.json));
      return;
    }
    if (fault?.type === 'reset') {
      request.socket.destroy();
      return;
    }
    const { status, json } = handle(request, body, fakeCarrier);
    if (fault?.type === 'take_and_reset') request.socket.destroy();
    else if (fault?.type === 'take_and_garble') response.writeHead(502).end('<html>Bad gateway</html>');
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** https://www.twilio.com/docs/messaging/api/message-resource */
export function startFakeTwilio(): Promise<FakeCarrier> {
  const path = `/2010-04-01/Accounts/${TWILIO.accountSid}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${TWILIO.accountSid}:${TWILIO.authToken}`).toString('base64')}`;
  return open((request, body, { texts }) => {
    const url = new URL(request.url ?? '', 'http://fake.example');
    if (url.pathname !== path) return { status: 404, json: { code: 20404, message: 'not found', status: 404 } };
    if (request.headers.authorization !== authorization) {
      return { status: 401, json: { code: 20003, message: 'Authenticate', status: 401 } };
    }
    if (request.method === 'GET') {
      const messages = texts.filter(({ to }) => to === url.searchParams.get('To')).map(messageOf);
      return { status: 200, json: { messages, page: 0, page_size: 50, next_page_uri: null } };
    }
    const form = new URLSearchParams(body);
    const [to, text, from] = [form.get('To'), form.get('Body'), form.get('From')];
    const known = [...form.keys()].every((name) => ['To', 'Body', 'From', 'StatusCallback'].includes(name));
    if (to === null || text === null || from !== TWILIO.from || !known) {
      return { status: 400, json: { code: 21604, message: "A 'To' phone number is required.", status: 400 } };
    }
    const message = {
      id: `SM${String(texts.length).padStart(32, '0')}`,
      to,
      body: text,
      at: new Date(),
      reportTo: form.get('StatusCallback'),
    };
    texts.unshift(message);
    return { status: 201, json: messageOf(message) };
  });
}

function messageOf({ id, to, body, at }: FakeCarrier['texts'][number]) {
  const created = at.toUTCString().replace('GMT', '+0000');
  return { sid: id, to, body, from: TWILIO.from, status: 'queued', date_created: created, num_segments: '1' };
}

/** https://developers.telnyx.com/api-reference/messages/send-a-message */
export function startFakeTelnyx(): Promise<FakeCarrier> {
  return open((request, body, { texts }) => {
    const refused = (status: number, code: string, title: string) => ({ status, json: { errors: [{ code, title }] } });
    if (request.method !== 'POST' || request.url !== '/v2/messages') return refused(404, '10005', 'Not found');
    if (request.headers.authorization !== `Bearer ${TELNYX.apiKey}`)
      return refused(401, '10009', 'Authentication failed');
    const message = JSON.parse(body) as Record<string, string>;
    const { from, to = '', text = '', webhook_url: reportTo = null, ...others } = message;
    if (from !== TELNYX.from || text === '' || Object.keys(others).length > 0) {
      return refused(422, '40317', 'Invalid message');
    }
    const accepted = { id: `40385f64-5717-4562-b3fc-2c963f6${texts.length}`, to, body: text, at: new Date(), reportTo };
    texts.unshift(accepted);
    const recipient = { phone_number: to, status: 'queued', carrier: 'CARRIER', line_type: 'Wireless' };
    return { status: 200, json: { data: { record_type: 'message', id: accepted.id, to: [recipient], text } } };
  });
}
