/**
 * What an event socket costs: replaces how drachtio-modesl (1.3.1) subscribes to events and writes commands. The library
 * asks each leg's channel for ten kinds of events as JSON. This asks for the four kinds that are read, as plain text:
 * FreeSWITCH builds no JSON tree of 150 headers, and {@link EventReader} decodes only those that are read. The library
 * also writes each line of a command separately. This writes all commands of a turn of the event loop at once.
 */
import modesl, { type Connection } from 'drachtio-modesl';
import { replaceEventParser } from './event-reader.ts';

/** CHANNEL_EXECUTE_COMPLETE and CHANNEL_CALLSTATE are for the library, the others for {@link EndpointLeg}. */
const EVENTS_OF_LEG = ['DTMF', 'PLAYBACK_START', 'CHANNEL_EXECUTE_COMPLETE', 'CHANNEL_CALLSTATE'];

/** For all connections of drachtio-modesl, which has no settings for this. Idempotent. */
export function replaceEventSocket(): void {
  replaceEventParser();
  modesl.Connection.prototype.subscribe = subscribe;
  modesl.Connection.prototype.send = send;
}

/** @param events of the library: a list for the inbound connection, words for the one of a leg */
function subscribe(this: Connection, events: string | readonly string[]): void {
  const isLeg = typeof events === 'string' && events.split(' ').includes('DTMF');
  const wanted = isLeg ? EVENTS_OF_LEG : [events].flat();
  this.sendRecv(`event plain ${wanted.join(' ')}`, () => undefined);
}

function send(this: Connection, command: string, headers: Readonly<Record<string, unknown>> = {}): void {
  const { socket } = this;
  // Closed: no answer will come, which every caller of the library allows for.
  if (socket === null) return;
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}\n`);
  socket.cork();
  socket.write(`${command}\n${lines.join('')}\n`);
  process.nextTick(() => socket.uncork());
}
