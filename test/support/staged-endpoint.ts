/** An endpoint leg on an endpoint whose events all come from the test. */
import { EventEmitter } from 'node:events';
import type { Endpoint, EndpointDialog, EslEvent } from 'drachtio-fsmrf';
import { EndpointLeg } from '../../src/phone/freeswitch/endpoint-leg.ts';
import { type KeyKind, NoMedia } from '../../src/phone/ports.ts';

export function stageEndpoint({ canDetectTones = true } = {}) {
  const commands: string[] = [];
  /** Callbacks with the replies to the pauses. */
  const pauses: ((body: string) => void)[] = [];
  /** Callbacks with the answers to `set_media_stats`. */
  const measured: ((codec: string) => void)[] = [];
  const playing: { path: string; complete: (response?: string, state?: string) => void }[] = [];
  const conn = {
    socket: { cork: () => undefined, uncork: () => undefined },
    api: (command: string, args: readonly string[], replied: (reply: EslEvent) => void) => {
      commands.push([command, ...args].join(' '));
      if (command === 'uuid_fileman') pauses.push((body) => replied({ getHeader: () => null, getBody: () => body }));
    },
    sendRecv: (command: string) => commands.push(command),
    execute: (app: string, path: string, callback: (event: EslEvent) => void) => {
      if (app !== 'playback') {
        commands.push(app);
        if (app === 'set_media_stats') measured.push((codec) => callback(eventWith({ variable_read_codec: codec })));
        return;
      }
      const complete = (response = 'FILE PLAYED', state = 'answered') => {
        const headers: Record<string, string> = { 'Application-Response': response, 'Answer-State': state };
        callback(eventWith(headers));
      };
      playing.push({ path, complete });
    },
  };
  const dialog = Object.assign(new EventEmitter(), {
    id: 'd',
    connected: true,
    remote: { sdp: 'v=0' },
    byes: 0,
    modify: (sdp: string): Promise<string> => Promise.resolve(`answer to ${sdp}`),
    _reinvitesInProgress: { count: 0, admitOne: [] },
    destroy: () => {
      dialog.byes += 1;
      return Promise.resolve();
    },
  });
  const endpoint = Object.assign(new EventEmitter(), {
    uuid: 'u',
    conn,
    dialog,
    hangups: 0,
    bridged: false,
    bridge: () => {
      endpoint.bridged = true;
      return Promise.resolve();
    },
    destroy: () => {
      endpoint.hangups += 1;
      return Promise.resolve();
    },
  });
  const acceptedSdp = (sdp: string) => {
    if (/SAVP/.test(sdp)) throw new NoMedia('encryption');
    return sdp.replace('keys', '');
  };
  const keys: string[] = [];
  const kinds: KeyKind[] = [];
  const leg = new EndpointLeg(endpoint as unknown as Endpoint, dialog as unknown as EndpointDialog, {
    onKey: (key, kind) => {
      keys.push(key.reveal((text) => text));
      kinds.push(kind);
      key.wipe();
    },
    acceptedSdp,
    canDetectTones,
  });
  const breaks = () => commands.filter((command) => command === 'uuid_break u all').length;
  return { leg, endpoint, dialog, commands, playing, pauses, measured, breaks, keys, kinds };
}

const eventWith = (headers: Record<string, string>): EslEvent => ({
  getHeader: (name) => headers[name] ?? '',
  getBody: () => '',
});
