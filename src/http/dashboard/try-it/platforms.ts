/** The transfer on each voice platform, for the code snippets of a test call. Each has a page in the docs. */

export interface PlatformTransfer {
  title: string;
  /** Of the docs. */
  page: string;
  code: (transferTo: string) => string;
}

const platform = (name: string, title: string, code: PlatformTransfer['code']): [string, PlatformTransfer] => [
  name,
  { title, page: `/docs/platforms/${name}`, code },
];

const json = (value: object) => JSON.stringify(value, null, 2);

/** By name, the most used first. */
export const PLATFORMS: ReadonlyMap<string, PlatformTransfer> = new Map([
  platform(
    'twilio',
    'Twilio',
    (to) => `<Response>\n  <Dial action="/after-payment">\n    <Sip>${to}</Sip>\n  </Dial>\n</Response>`,
  ),
  platform(
    'livekit',
    'LiveKit',
    (to) =>
      `await job.api.sip.transfer_sip_participant(\n    api.TransferSIPParticipantRequest(\n        room_name=job.room.name,\n        participant_identity=caller.identity,\n        transfer_to="${to}",\n    )\n)`,
  ),
  platform('vapi', 'Vapi', (to) => json({ destination: { type: 'sip', sipUri: to, message: '' } })),
  platform('retell', 'Retell', () =>
    json({
      type: 'transfer_call',
      name: 'transfer_to_payment',
      transfer_destination: { type: 'predefined', number: '{{transfer_to}}' },
      transfer_option: { type: 'cold_transfer', cold_transfer_mode: 'sip_invite' },
    }),
  ),
  platform('elevenlabs', 'ElevenLabs', () =>
    json({
      transfer_destination: { type: 'sip_uri_dynamic_variable', sip_uri: 'transfer_to' },
      transfer_type: 'sip_refer',
      condition: 'Right after the agent_message of create_checkout, if payment is required.',
    }),
  ),
  platform(
    'openai',
    'OpenAI Realtime',
    (to) => `await openai.realtime.calls.refer(call.id, {\n  target_uri: '${to}',\n});`,
  ),
  platform('telnyx', 'Telnyx', (to) => `await telnyx.calls.actions.transfer(callControlId, {\n  to: '${to}',\n});`),
  platform('jambonz', 'jambonz', (to) =>
    json([
      {
        verb: 'dial',
        target: [{ type: 'sip', sipUri: to }],
        referHook: '/payment-outcome',
        actionHook: '/after-payment',
      },
    ]),
  ),
  platform('pipecat', 'Pipecat', (to) => `await transport.sip_call_transfer({\n    "toEndPoint": "${to}",\n})`),
  platform('bland', 'Bland', () => 'Transfer Call node\n  Allow SIP/DID targets: on\n  Target: {{transfer_to}}'),
  platform('node', 'Node.js', (to) => `send(call, 'REFER', { 'Refer-To': '<${to}>' });`),
]);
