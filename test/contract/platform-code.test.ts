/** The code for each voice platform fits the types of the platform's npm package. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf } from '../../src/http/docs/pages.ts';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { useFixture } from '../support/fixtures.ts';
import { checkTypes, unpackVendorTypes } from '../support/vendor-types.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi({ demoKey: DEMO_KEY, docsUrl: null }));

interface Code {
  text: () => string | Promise<string>;
  /** What the page leaves to the reader: imports, and values of the reader's program. */
  before?: string;
  /** JSON: the type that it has. */
  type?: string;
  /** An error that the types must find, or they are not used. */
  wrong: [string, string];
}

/** In a function, as on a page that leaves out the rest of the program. */
const VALUES = `declare const call: { id: string; from: string };
declare const session: { callSid: string; from: string };
declare const args: { order_id: string };
declare const toolCallId: string;
declare const checkout: { transfer_to: string };
declare const checkouts: Map<string, unknown>;
declare const room: { name: string };
declare const caller: { identity: string };
`;

const onPage = (platform: string, name: string) => () => codeOf(`platform-${platform}`, name);
const definitions = (platform: string) => async () => (await fetch(`${api.url}/agent-tools/${platform}.json`)).text();

const CODE: Readonly<Record<string, Code>> = {
  'anthropic-tools': {
    text: definitions('anthropic'),
    before: `import type { Tool } from '@anthropic-ai/sdk';`,
    type: 'Tool[]',
    wrong: ['"input_schema"', '"parameters"'],
  },
  'elevenlabs-tools': {
    text: definitions('elevenlabs'),
    before: `import type { ToolRequestModel } from '@elevenlabs/elevenlabs-js';`,
    type: 'ToolRequestModel.Raw[]',
    wrong: ['"sip_uri"', '"uri"'],
  },
  'jambonz-transfer': {
    text: onPage('jambonz', 'transfer'),
    before: `import type { Verb } from '@jambonz/sdk';`,
    type: 'Verb[]',
    wrong: ['"sipUri"', '"uri"'],
  },
  'jambonz-refer': {
    text: onPage('jambonz', 'refer'),
    before: `import type { Verb } from '@jambonz/sdk';`,
    type: 'Verb[]',
    wrong: ['"referTo"', '"to"'],
  },
  'livekit-transfer': {
    text: onPage('livekit', 'transfer'),
    before: `import { SipClient } from 'livekit-server-sdk';`,
    wrong: ['transferSipParticipant', 'transferParticipant'],
  },
  'livekit-trunk': {
    // The client's names are those of the JSON, in camel case.
    text: async () => (await onPage('livekit', 'trunk')()).replace('headers_to_attributes', 'headersToAttributes'),
    before: `import type { CreateSipInboundTrunkOptions } from 'livekit-server-sdk';`,
    type: 'CreateSipInboundTrunkOptions',
    wrong: ['headersToAttributes', 'headers_to_attributes'],
  },
  'openai-tools': {
    text: definitions('openai'),
    before: `import type OpenAI from 'openai';`,
    type: 'OpenAI.Realtime.RealtimeFunctionTool[]',
    wrong: ['"parameters"', '"input_schema"'],
  },
  'openai-tool': { text: onPage('openai', 'tool'), wrong: ['fetch(', 'get('] },
  'openai-transfer': {
    text: onPage('openai', 'transfer'),
    before: `import OpenAI from 'openai'; declare const openai: OpenAI;`,
    wrong: ['target_uri', 'target'],
  },
  'retell-number': {
    text: onPage('retell', 'number'),
    before: `import type Retell from 'retell-sdk';`,
    type: 'Retell.LlmCreateParams.TransferCallTool.TransferDestinationPredefined',
    wrong: ['"extension"', '"digits"'],
  },
  'retell-tools': {
    text: definitions('retell'),
    before: `import type Retell from 'retell-sdk';`,
    type: 'Retell.LlmCreateParams["general_tools"]',
    wrong: ['"cold_transfer_mode": "sip_invite"', '"cold_transfer_mode": "sip"'],
  },
  'telnyx-transfer': {
    text: onPage('telnyx', 'transfer'),
    before: `import Telnyx from 'telnyx'; declare const telnyx: Telnyx; declare const callControlId: string;`,
    wrong: ['to:', 'target:'],
  },
  'twilio-tool': { text: onPage('twilio', 'tool'), wrong: ['session.callSid', 'session.sid'] },
  'twilio-transfer': {
    text: async () => `new VoiceResponse()${asCalls(await onPage('twilio', 'transfer')())}`,
    before: `import VoiceResponse from 'twilio';`,
    wrong: ['action:', 'url:'],
  },
  'vapi-tools': {
    text: definitions('vapi'),
    // The types lack the value of a header, which Vapi's own dashboard writes.
    before: `import type { CreateApiRequestToolDTO } from '@vapi-ai/web';
declare module '@vapi-ai/web' { interface JsonSchema { value?: string } }`,
    type: 'CreateApiRequestToolDTO[]',
    wrong: ['"variableExtractionPlan"', '"variables"'],
  },
  'vapi-transfer': {
    text: onPage('vapi', 'transfer'),
    before: `import type { ServerMessageResponseTransferDestinationRequest } from '@vapi-ai/web';`,
    type: 'ServerMessageResponseTransferDestinationRequest',
    wrong: ['"sipUri"', '"uri"'],
  },
};

/** TwiML as calls of Twilio's builder: `<Dial action="…"><Sip>…</Sip></Dial>` is `.dial({ action: '…' }).sip('…')`. */
function asCalls(twiml: string): string {
  const elements = [...twiml.matchAll(/<(\w+)((?: \w+="[^"]*")*)>([^<\s][^<]*)?/g)];
  return elements
    .filter(([, name]) => name !== 'Response')
    .map(([, name = '', attributes = '', content]) => {
      const given = [...attributes.matchAll(/(\w+)=("[^"]*")/g)].map(([, key, value]) => `${key}: ${value}`);
      const values = [...(given.length > 0 ? [`{ ${given.join(', ')} }`] : []), ...(content ? [`"${content}"`] : [])];
      return `.${name.charAt(0).toLowerCase()}${name.slice(1)}(${values.join(', ')})`;
    })
    .join('');
}

const moduleOf = ({ before = '', type }: Code, text: string) =>
  type === undefined
    ? `${before}\n${VALUES}export async function code() {\n${text}\n}\n`
    : `${before}\nexport const code = ${text} satisfies ${type};\n`;

describe('the code of the voice platforms', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringkey-platform-code-'));
  let errors: Map<string, string[]>;
  beforeAll(async () => {
    unpackVendorTypes(folder);
    const modules: Record<string, string> = {};
    for (const [name, code] of Object.entries(CODE)) {
      const text = (await code.text()).trim();
      expect(text, name).toContain(code.wrong[0]);
      modules[name] = moduleOf(code, text);
      modules[`${name}-wrong`] = moduleOf(code, text.replace(...code.wrong));
    }
    errors = checkTypes(folder, modules);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(Object.keys(CODE))('fits the types of the platform: %s', (name) => {
    expect(errors.get(name)).toEqual([]);
  });

  test.each(Object.keys(CODE))('has types that find an error: %s', (name) => {
    expect(errors.get(`${name}-wrong`)).not.toEqual([]);
  });
});
