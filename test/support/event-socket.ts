/** Controls a real FreeSWITCH over its event socket, as fs_cli does. */
import { connect } from 'node:net';

/** Runs an API command on the FreeSWITCH that the environment names. @returns its answer */
export async function runFreeswitchCommand(command: string): Promise<string> {
  const {
    FREESWITCH_HOST: host = '127.0.0.1',
    FREESWITCH_PORT: port = '8021',
    FREESWITCH_SECRET: secret,
  } = process.env;
  const socket = connect(Number(port), host);
  socket.end(`auth ${secret}\n\napi ${command}\n\nexit\n\n`);
  let received = '';
  for await (const chunk of socket) received += String(chunk);
  const { length, rest = '' } =
    /^Content-Type: api\/response\nContent-Length: (?<length>\d+)\n\n(?<rest>.*)/ms.exec(received)?.groups ?? {};
  if (length === undefined) throw new Error(`FreeSWITCH did not take the command: ${received}`);
  return rest.slice(0, Number(length)).trim();
}
