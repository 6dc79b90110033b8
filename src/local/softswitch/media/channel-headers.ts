/** The headers that describe a channel in every event (switch_channel_event_set_data), in FreeSWITCH's order. */
import type { CallState, ChannelTimes } from './channel.ts';
import { microseconds } from './event.ts';

/** Numbers of switch_channel_state_t and switch_channel_callstate_t. */
const STATE_NUMBER: Record<string, string> = {
  CS_NEW: '0',
  CS_INIT: '1',
  CS_ROUTING: '2',
  CS_SOFT_EXECUTE: '3',
  CS_EXECUTE: '4',
  CS_EXCHANGE_MEDIA: '5',
  CS_PARK: '6',
  CS_HANGUP: '10',
  CS_REPORTING: '11',
};
/** `Channel-Call-State-Number` of the events CHANNEL_CALLSTATE. */
export const CALL_STATE_NUMBER: Record<CallState, string> = {
  DOWN: '0',
  RINGING: '2',
  ACTIVE: '4',
  HELD: '5',
  HANGUP: '7',
  UNHELD: '8',
};

/** The state of a channel in FreeSWITCH's terms: `CS_EXECUTE`, `early`, `NORMAL_CLEARING`. */
export interface ChannelFacts {
  uuid: string;
  name: string;
  state: string;
  callState: CallState;
  answerState: string;
  hangupCause: string | null;
  codec: string;
  dialplan: string;
  networkAddress: string;
  destination: string;
  times: ChannelTimes;
  profileIndex: number;
  transferSource: string | null;
}

/** Names and values in order, without the channel's variables. */
export function channelHeaders(facts: ChannelFacts): [string, string][] {
  const codec = (side: string): [string, string][] => [
    [`Channel-${side}-Codec-Name`, facts.codec],
    [`Channel-${side}-Codec-Rate`, '8000'],
    [`Channel-${side}-Codec-Bit-Rate`, '64000'],
  ];
  return [
    ['Channel-State', facts.state],
    ['Channel-Call-State', facts.callState],
    ['Channel-State-Number', STATE_NUMBER[facts.state] ?? '0'],
    ['Channel-Name', facts.name],
    ['Unique-ID', facts.uuid],
    ['Call-Direction', 'inbound'],
    ['Presence-Call-Direction', 'inbound'],
    ['Channel-HIT-Dialplan', 'true'],
    ['Channel-Call-UUID', facts.uuid],
    ['Answer-State', facts.answerState],
    ...(facts.hangupCause ? [['Hangup-Cause', facts.hangupCause] as [string, string]] : []),
    ...codec('Read'),
    ...codec('Write'),
    ...profileHeaders('Caller', facts),
  ];
}

/** The caller profile under a prefix: `Caller`, `Channel` (in the answer to `connect`) or `Other-Leg`. */
export function profileHeaders(prefix: string, facts: ChannelFacts): [string, string][] {
  const headers: [string, string | null][] = [
    ['Direction', 'inbound'],
    ['Logical-Direction', 'inbound'],
    ['Dialplan', facts.dialplan],
    ['Caller-ID-Name', 'unknown'],
    ['Orig-Caller-ID-Name', 'unknown'],
    ['Network-Addr', facts.networkAddress],
    ['Destination-Number', facts.destination],
    ['Unique-ID', facts.uuid],
    ['Source', 'mod_sofia'],
    ['Transfer-Source', facts.transferSource],
    ['Context', 'mrf'],
    ['Channel-Name', facts.name],
    ['Profile-Index', String(facts.profileIndex)],
    ['Profile-Created-Time', microseconds(facts.times.createdMs)],
    ['Channel-Created-Time', microseconds(facts.times.createdMs)],
    ['Channel-Answered-Time', stamp(facts.times.answeredMs)],
    ['Channel-Progress-Time', '0'],
    ['Channel-Progress-Media-Time', stamp(facts.times.answeredMs)],
    ['Channel-Hangup-Time', stamp(facts.times.hangupMs)],
    ['Channel-Transfer-Time', '0'],
    ['Channel-Resurrect-Time', '0'],
    ['Channel-Bridged-Time', stamp(facts.times.bridgedMs)],
    ['Channel-Last-Hold', '0'],
    ['Channel-Hold-Accum', '0'],
    ['Screen-Bit', 'true'],
    ['Privacy-Hide-Name', 'false'],
    ['Privacy-Hide-Number', 'false'],
  ];
  return headers.flatMap(([name, value]) => (value === null ? [] : [[`${prefix}-${name}`, value] as [string, string]]));
}

function stamp(ms: number): string {
  return ms === 0 ? '0' : microseconds(ms);
}
