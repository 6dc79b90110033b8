/** Whole HTTP requests as bytes on the wire. */

const BODY = JSON.stringify({
  merchant_id: 'mer_demo_diner',
  caller_phone: '+15550101234',
  amount_cents: 4250,
  platform_call_id: 'bench-call',
  return_to: 'sip:agent@agents.example.com',
  metadata: { table: '12', party: 'four' },
});

export function post(path: string, key: string | null, body = BODY): string {
  const lines = [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Content-Type: application/json', ...authorization(key)];
  return `${[...lines, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`;
}

export function get(path: string, key: string | null): string {
  return `${[`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...authorization(key)].join('\r\n')}\r\n\r\n`;
}

const authorization = (key: string | null) => (key === null ? [] : [`Authorization: Bearer ${key}`]);
