/**
 * Bridges two legs (`uuid_bridge`) and transfers them afterwards (`uuid_transfer`). Digits are not passed to the other
 * leg.
 */
import { BridgeFeed } from '../rtp/index.ts';
import type { Channel } from './channel.ts';
import type { Engine } from './engine.ts';

/**
 * Bridges two answered channels and ends the applications on them. The media is connected in the next turn of the event
 * loop, after the command is answered.
 * @returns false if they can't be bridged
 */
export function bridge(engine: Engine, first: Channel, second: Channel): boolean {
  if (first === second || !first.up || !second.up || !first.stream || !second.stream) return false;
  for (const channel of [first, second]) {
    const former = channel.partner;
    if (former && former !== first && former !== second) {
      part(channel, former);
      afterBridge(former);
    }
  }
  link(first, second, true);
  link(second, first, false);
  setImmediate(() => void join(first, second).catch(engine.options.failed));
  return true;
}

function link(channel: Channel, other: Channel, originator: boolean): void {
  channel.partner = other;
  channel.originator = originator;
  channel.times.bridgedMs = Date.now();
  const { variables } = channel;
  variables.setAll({ bridge_uuid: other.uuid, signal_bond: other.uuid, last_bridge_to: other.uuid });
  variables.set('bridge_channel', other.facts.name);
  other.onGone(() => {
    if (channel.partner !== other) return;
    part(channel, other);
    afterBridge(channel);
  });
}

async function join(first: Channel, second: Channel): Promise<void> {
  for (const channel of [second, first]) {
    channel.interrupt('transfer', true);
    await channel.stack.idle();
  }
  if (!isPair(first, second)) return;
  connect(first, second);
  connect(second, first);
  for (const channel of [first, second]) {
    channel.state = 'CS_SOFT_EXECUTE';
    channel.fire('CHANNEL_EXECUTE', 'uuid_bridge_on_soft_execute', [
      ['Application', 'uuid_bridge'],
      ['Application-Data', channel.partner?.uuid ?? ''],
    ]);
  }
  second.state = 'CS_EXCHANGE_MEDIA';
  fireBridge('CHANNEL_BRIDGE', first, second);
}

function isPair(first: Channel, second: Channel): boolean {
  return first.up && second.up && first.partner === second && second.partner === first;
}

/** Relays the audio of `from` to `to`. */
function connect(from: Channel, to: Channel): void {
  const feed = new BridgeFeed();
  from.stream?.relayTo((sound, codec) => {
    if (!from.muted) feed.push(sound, codec);
  });
  to.setBackground(feed);
}

/** Ends the bridge; both legs stay up. Idempotent. */
function part(first: Channel, second: Channel): void {
  if (first.partner !== second && second.partner !== first) return;
  fireBridge('CHANNEL_UNBRIDGE', first, second);
  for (const channel of [first, second]) {
    channel.stream?.relayTo(null);
    channel.setBackground(null);
    channel.partner = null;
    channel.originator = false;
    channel.variables.setAll({ bridge_uuid: undefined, signal_bond: undefined, bridge_channel: undefined });
    if (channel.up) channel.state = 'CS_EXECUTE';
  }
}

function fireBridge(name: string, first: Channel, second: Channel): void {
  const originator = second.originator ? second : first;
  const other = originator === first ? second : first;
  originator.fire(name, name === 'CHANNEL_BRIDGE' ? 'switch_ivr_multi_threaded_bridge' : 'switch_channel_unbridge', [
    ['Bridge-A-Unique-ID', originator.uuid],
    ['Bridge-B-Unique-ID', other.uuid],
  ]);
}

/** Hangs up a leg whose partner is gone, unless it is parked after the bridge. */
function afterBridge(channel: Channel): void {
  if (!channel.up) return;
  if (channel.variables.isTrue('park_after_bridge')) channel.state = 'CS_PARK';
  else channel.hangup('NORMAL_CLEARING');
}

/**
 * Takes a leg (with `both`, the other one too) out of its bridge and runs the in-line dialplan `app[:data][,app…]` on
 * it.
 */
export function transferLeg(channel: Channel, which: 'self' | 'bleg' | 'both', inline: string): void {
  const other = channel.partner;
  if (other) part(channel, other);
  const moved = { self: [channel], bleg: other ? [other] : [channel], both: other ? [other, channel] : [channel] }[
    which
  ];
  if (other && which !== 'both') afterBridge(which === 'self' ? other : channel);
  for (const leg of moved) transfer(leg, inline);
}

function transfer(channel: Channel, inline: string): void {
  channel.interrupt('transfer', true);
  channel.profileIndex++;
  channel.dialplan = 'inline';
  channel.state = 'CS_ROUTING';
  channel.setCallState('RINGING');
  channel.state = 'CS_EXECUTE';
  channel.setCallState('ACTIVE');
  for (const step of inline.split(',')) {
    const colon = step.indexOf(':');
    const app = colon < 0 ? step : step.slice(0, colon);
    channel.execute({ app, data: colon < 0 ? '' : step.slice(colon + 1) });
  }
}
