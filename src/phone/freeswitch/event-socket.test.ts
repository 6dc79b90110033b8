import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import modesl from 'drachtio-modesl';
import { expect, onTestFinished, test } from 'vitest';
import { replaceEventSocket } from './event-socket.ts';

const CHANNEL = 'Event-Name: CHANNEL_DATA\nUnique-ID: one\nContent-Type: command/reply\n\n';

/** The connection of a new call, and what FreeSWITCH receives on it. */
async function leg() {
  replaceEventSocket();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const listener = new modesl.Server({ server });
  const opened = once(listener, 'connection::open');
  const freeswitch = connect(port, '127.0.0.1').setEncoding('latin1');
  onTestFinished(() => {
    freeswitch.destroy();
    server.close();
  });
  const [connection] = (await opened) as [InstanceType<typeof modesl.Connection>];
  const ready = new Promise((resolve) => void connection.on('esl::ready', resolve));
  await once(freeswitch, 'data');
  freeswitch.write(CHANNEL);
  await ready;
  return { connection, freeswitch };
}

const OF_LIBRARY = ['CHANNEL_EXECUTE', 'CHANNEL_EXECUTE_COMPLETE', 'DTMF', 'SWITCH_EVENT_PLAYBACK_STOP', 'CUSTOM x'];

test('asks for few kinds of events of a leg, as plain text, and sends the commands of a turn together', async () => {
  const { connection, freeswitch } = await leg();
  connection.subscribe(OF_LIBRARY.join(' '));
  connection.send('sendmsg', { 'execute-app-name': 'playback', 'execute-app-arg': '/a.wav' });
  const [text] = await once(freeswitch, 'data');
  expect(text).toBe(
    'event plain DTMF PLAYBACK_START CHANNEL_EXECUTE_COMPLETE CHANNEL_CALLSTATE\n\n' +
      'sendmsg\nexecute-app-name: playback\nexecute-app-arg: /a.wav\n\n',
  );
});

test('asks for the events that the library names on another connection', async () => {
  const { connection, freeswitch } = await leg();
  connection.subscribe(['HEARTBEAT']);
  expect(await once(freeswitch, 'data')).toEqual(['event plain HEARTBEAT\n\n']);
});

test('sends nothing on a connection that is closed', async () => {
  const { connection, freeswitch } = await leg();
  const closed = new Promise((resolve) => void connection.on('esl::end', resolve));
  freeswitch.destroy();
  await closed;
  expect(() => connection.send('exit')).not.toThrow();
});
