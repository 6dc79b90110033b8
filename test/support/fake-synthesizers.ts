/**
 * Fakes of the speech vendors, in the wire format of their published references. Strict: a request that the vendor
 * would refuse, or that contains a run of digits, is a violation.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toWav } from '../../src/speech/wav.ts';

/**
 * How an answer is broken. `hang`: it is never sent. `reset`: the connection breaks first. `half_sent`: it breaks in
 * the middle. `cut_off`: half of the audio, as if it were complete. The others are sent completely.
 */
export const SPEECH_FAULTS = [
  'hang',
  'reset',
  'half_sent',
  'cut_off',
  'silent',
  'html',
  'empty',
  'too_long',
  'status_402',
  'status_429',
  'status_500',
  'status_302',
];
type SpeechFault = (typeof SPEECH_FAULTS)[number];

/** A vendor's error text, which must not appear in our errors. */
export const VENDOR_WORDS = 'quota of account 4711 exceeded';

interface SpeechRequest {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

interface Vendor {
  hz: number;
  /** Why a request is invalid; null if it is valid. */
  violation(request: SpeechRequest): string | null;
  textOf(body: Record<string, unknown>): string;
  contentType: string;
  /** The audio in this vendor's format. */
  wrap(samples: Float32Array): Buffer;
}

export interface FakeSynthesizer {
  url: string;
  texts: string[];
  requests: SpeechRequest[];
  violations: string[];
  /** Breaks the next answer, or all following ones; null: none. */
  fault: SpeechFault | null;
  close(): Promise<void>;
}

const LETTERS_A_SECOND = 15;
const TOO_LONG_BYTES = 10 * 1024 * 1024;

/** A sound as long and uneven as speech, which fades out. */
function speechLike(text: string, hz: number): Float32Array {
  const length = Math.round((Math.max(4, text.length) / LETTERS_A_SECOND) * hz);
  return new Float32Array(length).map((_, at) => {
    const fading = Math.min(1, (length - at) / (0.1 * hz));
    return 0.4 * fading * Math.abs(Math.sin((2 * Math.PI * 2 * at) / hz)) * Math.sin((2 * Math.PI * 300 * at) / hz);
  });
}

/** The first second, which is shorter than the text and stops at its loudest. */
function cutOff(samples: Float32Array, hz: number): Float32Array {
  const loudest = Math.round(hz * 0.125);
  return samples.subarray(0, Math.min(loudest, samples.length >> 1));
}

const pcm = (samples: Float32Array) => toWav(samples, 8_000).subarray(44);

async function start(vendor: Vendor): Promise<FakeSynthesizer> {
  const fake = { texts: [] as string[], requests: [] as SpeechRequest[], violations: [] as string[] };
  const state: { fault: SpeechFault | null } = { fault: null };
  const server = createServer((incoming, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const request: SpeechRequest = {
        method: incoming.method ?? '',
        url: new URL(incoming.url ?? '', 'http://vendor'),
        headers: incoming.headers,
        body: JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Record<string, unknown>,
      };
      const text = vendor.textOf(request.body);
      fake.requests.push(request);
      fake.texts.push(text);
      const wrong = vendor.violation(request) ?? (/\d{3}/.test(text) ? 'a run of digits' : null);
      if (wrong !== null) fake.violations.push(wrong);
      answer(response, vendor, text, state.fault);
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    ...fake,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get fault() {
      return state.fault;
    },
    set fault(fault) {
      state.fault = fault;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(response: ServerResponse, vendor: Vendor, text: string, fault: SpeechFault | null): void {
  const samples = speechLike(text, vendor.hz);
  const send = (body: Buffer | string, contentType = vendor.contentType, status = 200) =>
    response.writeHead(status, { 'content-type': contentType }).end(body);
  const whole = vendor.wrap(samples);
  if (fault === 'hang') return;
  if (fault === 'reset') return void response.socket?.destroy();
  if (fault === 'half_sent') {
    response.writeHead(200, { 'content-type': vendor.contentType, 'content-length': whole.length });
    response.write(whole.subarray(0, whole.length >> 1), () => response.socket?.destroy());
    return;
  }
  if (fault === 'cut_off') send(vendor.wrap(cutOff(samples, vendor.hz)));
  else if (fault === 'silent') send(vendor.wrap(samples.map(() => 0)));
  // An HTML page from a proxy or portal, instead of the vendor's content type.
  else if (fault === 'html') send(`<!doctype html><title>${VENDOR_WORDS}</title><p>${VENDOR_WORDS.repeat(50)}</p>`);
  else if (fault === 'empty') send('');
  else if (fault === 'too_long') send(vendor.wrap(new Float32Array(TOO_LONG_BYTES / 2).fill(0.1)));
  else if (fault === 'status_302') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  else if (fault !== null) {
    send(
      JSON.stringify({ error: { message: VENDOR_WORDS } }),
      'application/json',
      Number(fault.slice('status_'.length)),
    );
  } else send(whole);
}

const isOf = (value: unknown, values: readonly string[]) => typeof value === 'string' && values.includes(value);
const textIn = (value: unknown) => (typeof value === 'string' ? value : '');
const keysOf = (body: object) => Object.keys(body).sort().join(' ');

export const OPENAI_KEY = 'sk-proj-0123456789';

/** https://platform.openai.com/docs/api-reference/audio/createSpeech */
export function startFakeOpenai(): Promise<FakeSynthesizer> {
  return start({
    hz: 24_000,
    contentType: 'audio/pcm',
    textOf: ({ input }) => textIn(input),
    wrap: pcm,
    violation({ method, url, headers, body }) {
      if (method !== 'POST' || url.pathname !== '/v1/audio/speech') return `${method} ${url.pathname}`;
      if (headers.authorization !== `Bearer ${OPENAI_KEY}`) return 'authorization';
      if (keysOf(body) !== 'input model response_format voice') return keysOf(body);
      if (body.response_format !== 'pcm' || body.model !== 'gpt-4o-mini-tts') return 'format or model';
      return isOf(body.voice, ['alloy', 'nova']) && textIn(body.input).length <= 4_096 ? null : 'voice or input';
    },
  });
}

/** A server with the same API but a different sample rate, such as Piper's; it needs no key. */
export function startFakeSelfHosted(): Promise<FakeSynthesizer> {
  return start({
    hz: 22_050,
    contentType: 'audio/wav',
    textOf: ({ input }) => textIn(input),
    wrap: (samples) => toWav(samples, 22_050),
    violation({ method, url, body }) {
      if (method !== 'POST' || url.pathname !== '/v1/audio/speech') return `${method} ${url.pathname}`;
      return body.response_format === 'wav' && isOf(body.voice, ['alloy', 'af_heart']) ? null : 'format or voice';
    },
  });
}

export const GOOGLE_KEY = 'AIza0123456789';

/** https://cloud.google.com/text-to-speech/docs/reference/rest/v1/text/synthesize */
export function startFakeGoogle(): Promise<FakeSynthesizer> {
  return start({
    hz: 24_000,
    contentType: 'application/json',
    textOf: ({ input }) => textIn((input as { text?: unknown } | undefined)?.text),
    wrap: (samples) => Buffer.from(JSON.stringify({ audioContent: toWav(samples, 24_000).toString('base64') })),
    violation({ method, url, headers, body }) {
      if (method !== 'POST' || url.pathname !== '/v1/text:synthesize') return `${method} ${url.pathname}`;
      if (headers['x-goog-api-key'] !== GOOGLE_KEY || url.search !== '') return 'key';
      const { audioConfig, voice } = body as { audioConfig?: object; voice?: { languageCode?: string; name?: string } };
      if (JSON.stringify(audioConfig) !== '{"audioEncoding":"LINEAR16","sampleRateHertz":24000}') return 'audioConfig';
      const { languageCode = '', name = languageCode } = voice ?? {};
      return /^[a-z]{2}-[A-Z]{2}$/.test(languageCode) && name.startsWith(languageCode) ? null : 'voice';
    },
  });
}

export const POLLY_KEYS = { accessKeyId: 'AKIA0123456789', secretAccessKey: 'secret-of-polly' };

/** https://docs.aws.amazon.com/polly/latest/dg/API_SynthesizeSpeech.html */
export function startFakePolly(): Promise<FakeSynthesizer> {
  return start({
    hz: 16_000,
    contentType: 'audio/pcm',
    textOf: ({ Text }) => textIn(Text),
    wrap: pcm,
    violation({ method, url, headers, body }) {
      if (method !== 'POST' || url.pathname !== '/v1/speech') return `${method} ${url.pathname}`;
      const signed = /^AWS4-HMAC-SHA256 Credential=AKIA0123456789\/\d{8}\/us-east-1\/polly\/aws4_request, /;
      if (!signed.test(headers.authorization ?? '')) return 'authorization';
      if (keysOf(body) !== 'Engine OutputFormat SampleRate Text TextType VoiceId') return keysOf(body);
      if (body.OutputFormat !== 'pcm' || body.SampleRate !== '16000' || body.Engine !== 'neural') return 'format';
      return isOf(body.VoiceId, ['Joanna', 'Matthew', 'Lupe', 'Lea', 'Vicki']) ? null : 'voice';
    },
  });
}

export const ELEVENLABS_KEY = 'sk_0123456789';

/** https://elevenlabs.io/docs/api-reference/text-to-speech/convert */
export function startFakeElevenlabs(): Promise<FakeSynthesizer> {
  return start({
    hz: 16_000,
    contentType: 'application/octet-stream',
    textOf: ({ text }) => textIn(text),
    wrap: pcm,
    violation({ method, url, headers, body }) {
      if (method !== 'POST' || !/^\/v1\/text-to-speech\/[A-Za-z0-9]{20}$/.test(url.pathname))
        return `${method} ${url.pathname}`;
      if (url.search !== '?output_format=pcm_16000') return url.search;
      if (headers['xi-api-key'] !== ELEVENLABS_KEY) return 'key';
      if (keysOf(body) !== 'language_code model_id text') return keysOf(body);
      return isOf(body.language_code, ['en', 'es', 'fr', 'de']) && body.model_id === 'eleven_flash_v2_5'
        ? null
        : 'model';
    },
  });
}
