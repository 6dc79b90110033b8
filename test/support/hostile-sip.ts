/** What a peer can put into SIP messages and session descriptions: arbitraries of fast-check. No message is a valid call. */
import fc from 'fast-check';

/** Pieces with a meaning for a parser somewhere on the way. */
const PIECES = [
  '%',
  '%E9',
  '%C3%28',
  '%00',
  '%0d%0a',
  '%zz',
  'é',
  '\u{1f600}',
  '\ufffd',
  '\u2028',
  '\ufeff',
  '"',
  '\\',
  '<',
  '>',
  '@',
  ';',
  ',',
  ':',
  '|',
  '#',
  '=',
  '?',
  '&',
  '*',
  ' ',
  '\t',
  '[',
  ']',
  '--',
  '__proto__',
  'constructor',
  'ARRAY::1|:2',
  'text/disconnect-notice',
  'sip:',
  'tel:',
  'tag=',
  'a',
  '0',
  '99999999999',
] as const;
const LONG = 800;

/** One line: any character but a line break. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }).map(oneLine),
  fc.string({ unit: 'grapheme', maxLength: 30 }).map(oneLine),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc
    .tuple(fc.constantFrom(...PIECES), fc.integer({ min: 1, max: LONG }))
    .map(([piece, length]) => repeated(piece, length)),
);

function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, '');
}

function repeated(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length));
}

const hostileUri: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'sip:',
    'sips:@',
    'sip:@',
    'sip:[::1',
    'sip:a@',
    'sip::5060',
    'tel:',
    'urn:service:sos',
    '*',
    '',
    'sip:a@b:99999',
  ),
  hostileText,
  fc
    .tuple(fc.constantFrom('sip', 'sips', 'SIP', 'tel', 'http'), hostileText)
    .map(([scheme, rest]) => `${scheme}:${rest}`),
  fc.tuple(hostileText, hostileText).map(([user, host]) => `sip:${user}@${host}`),
  fc.tuple(hostileText, hostileText).map(([name, value]) => `sip:x@127.0.0.1;${name}=${value}?${value}=${name}`),
);

/** The value of a From, To, Contact, Refer-To … */
export const hostileAddress: fc.Arbitrary<string> = fc.oneof(
  hostileUri,
  hostileUri.map((uri) => `<${uri}>`),
  hostileUri.map((uri) => `"" <${uri}>`),
  fc.tuple(hostileText, hostileUri).map(([name, uri]) => `"${name}" <${uri}>`),
  fc.tuple(hostileText, hostileUri).map(([name, uri]) => `${name} <${uri}`),
  fc.tuple(hostileUri, hostileText).map(([uri, value]) => `<${uri}>;tag=${value};${value}`),
  fc.array(hostileUri, { maxLength: 4 }).map((uris) => uris.map((uri) => `<${uri}>`).join(', ')),
);

const ADDRESSES = [
  'Contact',
  'P-Asserted-Identity',
  'Remote-Party-ID',
  'Refer-To',
  'Referred-By',
  'Diversion',
  'History-Info',
  'Record-Route',
];
const TEXTS = [
  'Allow',
  'Require',
  'Supported',
  'Session-Expires',
  'Min-SE',
  'Identity',
  'Attestation-Info',
  'User-to-User',
  'Subject',
  'Event',
  'Subscription-State',
  'X-Odd',
  'Reason',
  'RSeq',
  'RAck',
];

type Header = [name: string, value: string];

/** A header line; also with a name that is none, or folded (RFC 3261, 7.3.1). */
const hostileHeader: fc.Arbitrary<Header> = fc.oneof(
  fc.tuple(fc.constantFrom(...ADDRESSES), hostileAddress),
  fc.tuple(fc.constantFrom(...TEXTS), hostileText),
  fc.tuple(fc.constantFrom(...ADDRESSES, ...TEXTS), fc.constant('')),
  fc
    .tuple(fc.constantFrom(...TEXTS), hostileText, hostileText)
    .map(([name, one, two]): Header => [name, `${one}\r\n ${two}`]),
  fc.tuple(fc.stringMatching(/^[\w.!%*+`'~-]{1,20}$/), hostileText),
  fc.constantFrom<Header[]>(
    ['__proto__', 'x'],
    ['constructor', 'x'],
    ['X-Long-Name'.repeat(40), 'x'],
    ['m', ''],
    ['i', 'x'],
  ),
);

/** Some of them, each up to three times. */
export const hostileHeaders: fc.Arbitrary<Header[]> = fc
  .array(fc.tuple(hostileHeader, fc.integer({ min: 1, max: 3 })), { maxLength: 6 })
  .map((headers) => headers.flatMap(([header, times]) => Array.from({ length: times }, () => header)));

const LINES = [
  'v=1',
  'o=',
  'o=é é é IN IP4 é',
  's=%FF%00',
  't=',
  'c=',
  'c=IN IP4',
  'c=IN IP4 300.1.1.1',
  'c=IN IP6 ::1',
  'c=IN IP4 localhost',
  'm=audio',
  'm=audio 70000 RTP/AVP 0',
  'm=audio -1 RTP/AVP 0',
  'm=audio 9 RTP/AVP',
  'm=audio 1 RTP/AVP 999 0',
  'm=audio 9 RTP/SAVP 0',
  'm=video 9 RTP/AVP 96',
  'm= 1 2 3',
  'a=rtpmap:0',
  'a=rtpmap:101 12/8000',
  'a=rtpmap:x y/z',
  'a=rtpmap:0 PCMU/0',
  'a=rtpmap:101 telephone-event/99999999999',
  'a=fmtp:',
  'a=fmtp:101 0-99999999',
  'a=ptime:-1',
  'a=ptime:99999999999999999999',
  'a=crypto:1',
  'a=candidate:',
  'a=ssrc:1',
  'a=rtcp:99999',
  'a=:',
  'a=xé:1',
  'a=x:%E9',
  '__proto__=1',
] as const;

const hostileSdpLine: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...LINES),
  hostileText,
  fc.tuple(hostileText, hostileText).map(([name, value]) => `a=${name}:${value}`),
  fc
    .tuple(fc.integer({ min: -1, max: 99_999 }), hostileText)
    .map(([port, types]) => `m=audio ${port} RTP/AVP ${types}`),
  fc.tuple(fc.integer({ min: -1, max: 300 }), hostileText).map(([type, codec]) => `a=rtpmap:${type} ${codec}`),
);

/** A session description with some lines replaced, lost, doubled or added. */
export function hostileSdp(sdp: string): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(),
    how: fc.constantFrom('replace', 'drop', 'double', 'add'),
    line: hostileSdpLine,
  });
  return fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
    const lines = sdp.trimEnd().split('\r\n');
    for (const { at, how, line } of changes) {
      const place = at % Math.max(lines.length, 1);
      if (how === 'replace') lines[place] = line;
      else if (how === 'drop') lines.splice(place, 1);
      else lines.splice(place, 0, how === 'add' ? line : (lines[place] ?? ''));
    }
    return `${lines.join('\r\n')}\r\n`;
  });
}

export interface HostileBody {
  type: string;
  body: string;
}

/** A body with its type: a damaged SDP, parts, keys, a sipfrag, or anything. */
export function hostileBody(sdp: string): fc.Arbitrary<HostileBody> {
  const damaged = hostileSdp(sdp);
  const typed = (type: fc.Arbitrary<string>, body: fc.Arbitrary<string>) => fc.record({ type, body });
  return fc.oneof(
    typed(fc.constant('application/sdp'), damaged),
    typed(hostileText, damaged),
    typed(
      fc.constantFrom('application/dtmf-relay', 'application/dtmf'),
      hostileText.map((text) => `Signal=${text}\r\nDuration=${text}`),
    ),
    typed(
      fc.constant('message/sipfrag'),
      hostileText.map((text) => `SIP/2.0 ${text}`),
    ),
    typed(
      fc.constantFrom(
        'multipart/mixed;boundary=b',
        'multipart/mixed;boundary=""',
        'multipart/mixed',
        'multipart/mixed;boundary="b',
      ),
      fc
        .tuple(hostileText, damaged)
        .map(([head, content]) => `--b\r\n${head}\r\n\r\n--b\r\nContent-Type: application/sdp\r\n\r\n${content}--b--`),
    ),
    typed(hostileText, hostileText),
  );
}

/** Requests that a peer sends in a dialog. */
export const DIALOG_METHODS = [
  'INVITE',
  'UPDATE',
  'INFO',
  'NOTIFY',
  'REFER',
  'OPTIONS',
  'MESSAGE',
  'SUBSCRIBE',
  'PUBLISH',
] as const;
