/** The `api` commands (mod_commands, mod_sofia): text in, text out, in FreeSWITCH's words. */
import { randomUUID } from 'node:crypto';
import { DTMF_KEYS } from '../rtp/index.ts';
import { isApplication, sendDigits } from './applications.ts';
import { bridge, transferLeg } from './bridge.ts';
import { causeNamed } from './causes.ts';
import type { Channel } from './channel.ts';
import { type Engine, LOG_LEVELS, uptime } from './engine.ts';
import { ENGINE_VERSION, serializeJson, serializePlain } from './event.ts';

type ApiCommand = (engine: Engine, args: string) => string;

const OK = '+OK\n';
const NO_CHANNEL = '-ERR No such channel!\n';
const NO_SESSION = '-ERR Cannot locate session!\n';
const RULE = `${'='.repeat(97)}\n`;

/** The FreeSWITCH modules that are imitated here, for `module_exists`. */
const MODULES: ReadonlySet<string> = new Set([
  'mod_sofia',
  'mod_dptools',
  'mod_commands',
  'mod_event_socket',
  'mod_spandsp',
]);

/** Runs an api command. Never throws: an unknown command is answered with an error text. */
export function runApi(engine: Engine, line: string): string {
  const space = line.indexOf(' ');
  const name = space < 0 ? line : line.slice(0, space);
  const args = space < 0 ? '' : line.slice(space + 1).trim();
  const command = Object.hasOwn(COMMANDS, name.toLowerCase()) ? COMMANDS[name.toLowerCase()] : undefined;
  if (!command) return `-ERR ${name} Command not found!\n`;
  return command(engine, args) || '-ERR no reply\n';
}

/** A command on one channel, `uuid` first. */
function onChannel(
  usage: string,
  run: (channel: Channel, rest: string, engine: Engine) => string,
  missing = NO_CHANNEL,
): ApiCommand {
  return (engine, args) => {
    const [uuid = '', ...rest] = args.split(' ');
    if (!uuid) return `-USAGE: ${usage}\n`;
    const channel = engine.channels.get(uuid);
    return channel?.up ? run(channel, rest.join(' ').trim(), engine) : missing;
  };
}

const COMMANDS: Record<string, ApiCommand> = {
  sofia: (engine, args) => sofia(engine, args),
  status: (engine) => status(engine),
  version: () => `FreeSWITCH Version ${ENGINE_VERSION}\n`,
  uptime: (engine) => `${Math.floor((Date.now() - engine.startedAtMs) / 1000)}\n`,
  echo: (_engine, args) => args,
  create_uuid: () => randomUUID(),
  module_exists: (_engine, name) => (name === '' ? '-USAGE: <module>\n' : String(MODULES.has(name))),
  fsctl: (engine, args) => fsctl(engine, args),
  show: (engine, args) => show(engine, args),
  global_setvar: (engine, args) => setGlobal(engine, args),
  global_getvar: (engine, args) => (args === '' ? listGlobals(engine) : (engine.globals.get(args) ?? '')),
  hupall: (engine, args) => hangupAll(engine, args),
  uuid_exists: (engine, args) => String(engine.channels.get(args)?.up ?? false),
  uuid_break: onChannel('<uuid> [all]', (channel, flags) => breakChannel(channel, flags)),
  uuid_fileman: onChannel('<uuid> <cmd>:<val>', (channel, command) => manageFile(channel, command)),
  uuid_kill: onChannel('<uuid> [cause]', (channel, cause) => {
    channel.hangup(causeNamed(cause));
    return OK;
  }),
  uuid_park: onChannel('<uuid>', (channel) => moved(channel, 'self', 'park')),
  uuid_setvar: onChannel('<uuid> <var> [value]', (channel, rest) => setVariable(channel, rest)),
  uuid_setvar_multi: onChannel('<uuid> <var>=<value>;<var>=<value>...', (channel, rest) => setVariables(channel, rest)),
  uuid_getvar: onChannel('<uuid> <var>', (channel, name) => channel.variables.get(name) ?? '_undef_'),
  uuid_dump: onChannel('<uuid> [format]', (channel, format) => dump(channel, format)),
  uuid_set_media_stats: onChannel('<uuid>', (channel) => setMediaStats(channel), '-ERR\n'),
  uuid_bridge: (engine, args) => bridgeChannels(engine, args),
  uuid_transfer: onChannel('<uuid> [-bleg|-both] <dest-exten> [<dialplan>] [<context>]', (channel, rest) =>
    transfer(channel, rest),
  ),
  uuid_send_dtmf: onChannel('<uuid> <dtmf_data>', (channel, digits) => sendDtmf(channel, digits), NO_SESSION),
  uuid_recv_dtmf: onChannel('<uuid> <dtmf_data>', (channel, digits) => receiveDtmf(channel, digits), NO_SESSION),
};

function sofia(engine: Engine, args: string): string {
  if (args !== 'status') return args.startsWith('status') ? 'Invalid Profile!\n' : '-USAGE: sofia status\n';
  const row = (...cells: [string, string, string, string]): string =>
    `${cells[0].padStart(25)}\t${cells[1]}\t  ${cells[2].padStart(40)}\t${cells[3]}\n`;
  const profile = row(
    'drachtio_mrf',
    'profile',
    `sip:mod_sofia@${engine.sipAddress}`,
    `RUNNING (${engine.channels.size})`,
  );
  return `${row('Name', '   Type', 'Data', 'State')}${RULE}${profile}${RULE}1 profile 0 aliases\n`;
}

function listGlobals({ globals }: Engine): string {
  return [...globals].map(([name, value]) => `${name}=${value}\n`).join('');
}

function status(engine: Engine): string {
  return [
    `UP ${uptime(Date.now() - engine.startedAtMs)}`,
    `FreeSWITCH (Version ${ENGINE_VERSION}) is ready`,
    `${engine.sessionCount} session(s) since startup`,
    `${engine.channels.size} session(s) - peak ${engine.peakSessions}, last 5min ${engine.peakSessions} `,
    '0 session(s) per Sec out of max 30, peak 0, last 5min 0 ',
    `${engine.options.maxSessions} session(s) max`,
    'min idle cpu 0.00/100.00',
    '',
  ].join('\n');
}

function fsctl(engine: Engine, args: string): string {
  const [what, value] = args.split(' ').filter(Boolean);
  if (what !== 'loglevel') return '-USAGE: fsctl [loglevel [level]]\n';
  // A query without a level passes −1, which FreeSWITCH reads as the level DISABLE.
  const named = LOG_LEVELS.indexOf((value?.toUpperCase() ?? '') as (typeof LOG_LEVELS)[number]);
  const level = value !== undefined && /^\d+$/.test(value) ? Math.min(Number(value), LOG_LEVELS.length - 1) : named;
  if (value !== undefined && level < 0) return '-ERR syntax error, log level not set!\n';
  engine.logLevel = level;
  return `+OK log level: ${LOG_LEVELS[level] ?? 'DISABLE'} [${level}]\n`;
}

function show(engine: Engine, args: string): string {
  const [what, ...format] = args.split(' ').filter(Boolean);
  if (what !== 'channels' && what !== 'calls') return '-USAGE: show channels|calls [count|as json]\n';
  const rows = [...engine.channels.values()].map((channel) => ({
    uuid: channel.uuid,
    direction: 'inbound',
    name: channel.facts.name,
    state: channel.state,
    callstate: channel.callState,
  }));
  if (format.join(' ') === 'count') return `\n${rows.length} total.\n`;
  if (format.join(' ') === 'as json')
    return JSON.stringify({ row_count: rows.length, ...(rows.length > 0 ? { rows } : {}) });
  const head = rows.length > 0 ? `${Object.keys(rows[0] ?? {}).join(',')}\n` : '';
  return `${head}${rows.map((row) => `${Object.values(row).join(',')}\n`).join('')}\n${rows.length} total.\n`;
}

/** Removes the variable if there is no value. */
function setGlobal(engine: Engine, args: string): string {
  const [name, value] = splitOnce(args, '=');
  if (!name || value === undefined) return '-USAGE: <var>=<value>\n';
  if (value === '') engine.globals.delete(name);
  else engine.globals.set(name, value);
  return OK;
}

function hangupAll(engine: Engine, args: string): string {
  const cause = causeNamed(args || 'MANAGER_REQUEST');
  for (const channel of [...engine.channels.values()]) channel.hangup(cause);
  return `+OK hangup all channels with cause ${cause}\n`;
}

/** The command is answered first; the sound stops in the same turn of the event loop, and its events follow. */
function breakChannel(channel: Channel, flags: string): string {
  const all = flags.includes('all');
  setImmediate(() => {
    channel.interrupt('break', all);
    if (flags.includes('both')) channel.partner?.interrupt('break', all);
  });
  return OK;
}

/** `pause` pauses and resumes; other commands are accepted and do nothing. */
function manageFile({ file }: Channel, command: string): string {
  if (!command) return '-USAGE: <uuid> <cmd>:<val>\n';
  if (file === null) return '-ERR No file handle!\n';
  if (command.toLowerCase() === 'pause') file.togglePause();
  return OK;
}

function setVariable(channel: Channel, rest: string): string {
  const [name, value] = splitOnce(rest, ' ');
  if (!name) return '-USAGE: <uuid> <var> [value]\n';
  channel.variables.set(name, value);
  return OK;
}

function setVariables(channel: Channel, rest: string): string {
  const pairs = rest.split(';').map((pair) => splitOnce(pair, '='));
  if (!pairs.some(([name]) => name)) return '-ERR No variable specified\n';
  for (const [name, value] of pairs) if (name) channel.variables.set(name, value);
  return OK;
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

function dump(channel: Channel, format: string): string {
  const event = channel.snapshot('uuid_dump_function', false);
  return format === 'json' ? serializeJson(event) : serializePlain(event);
}

function setMediaStats(channel: Channel): string {
  const counters = channel.stream?.counters;
  channel.variables.setAll({
    rtp_audio_in_packet_count: counters?.received ?? 0,
    rtp_audio_in_media_packet_count: counters?.audio ?? 0,
    rtp_audio_in_dtmf_packet_count: counters?.events ?? 0,
    rtp_audio_in_skip_packet_count: counters?.ignored ?? 0,
    rtp_audio_out_packet_count: counters?.sent ?? 0,
    rtp_audio_out_media_packet_count: counters?.sent ?? 0,
  });
  return '+OK:\n';
}

function bridgeChannels(engine: Engine, args: string): string {
  const [first = '', second = '', instead = ''] = args.split(' ').filter(Boolean);
  if (!first || !second) return '-USAGE: <uuid> <other_uuid>\n';
  for (const other of [second, instead]) {
    const [one, two] = [engine.channels.get(first), engine.channels.get(other)];
    if (one && two && bridge(engine, one, two)) return `+OK ${other}\n`;
  }
  return '-ERR Invalid uuid\n';
}

/** Only the in-line dialplan is supported. */
function transfer(channel: Channel, rest: string): string {
  const words = rest.split(' ').filter(Boolean);
  const flag = words[0]?.startsWith('-') ? words.shift() : undefined;
  const [extension, dialplan] = words;
  if (!extension) return '-USAGE: <uuid> [-bleg|-both] <dest-exten> [<dialplan>] [<context>]\n';
  const inline = dialplan === 'inline' ? extension : 'hangup:NO_ROUTE_DESTINATION';
  return moved(channel, flag === '-both' ? 'both' : flag === '-bleg' ? 'bleg' : 'self', inline);
}

function moved(channel: Channel, which: 'self' | 'bleg' | 'both', inline: string): string {
  setImmediate(() => transferLeg(channel, which, inline));
  return OK;
}

function sendDtmf(channel: Channel, digits: string): string {
  if (!digits) return '-USAGE: <uuid> <dtmf_data>\n';
  return sendDigits(channel, digits) ? `+OK ${channel.uuid} sent DTMF ${digits}.\n` : '-ERR Operation failed\n';
}

/** Receives digits as if the far end had pressed them. */
function receiveDtmf(channel: Channel, digits: string): string {
  const [keys = ''] = digits.split('@');
  if (!keys) return '-USAGE: <uuid> <dtmf_data>\n';
  for (const key of keys.toUpperCase()) {
    if (DTMF_KEYS.includes(key)) channel.digit({ key, durationSamples: 2000 }, 'APP');
  }
  return `+OK ${channel.uuid} received DTMF ${digits}.\n`;
}

/** `sendmsg … execute`: FreeSWITCH answers +OK first, and hangs the channel up if the application is unknown. */
export function executeApplication(channel: Channel, app: string, data: string, uuid: string | undefined): boolean {
  if (!channel.up) return false;
  if (!isApplication(app)) {
    setImmediate(() => channel.hangup('DESTINATION_OUT_OF_ORDER'));
    return true;
  }
  return channel.execute({ app, data: channel.variables.expand(data), uuid });
}
