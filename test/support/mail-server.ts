/** A mail server on loopback, by the package smtp-server: keeps what it accepts. */
import { SMTPServer } from 'smtp-server';

interface ReceivedEmail {
  from: string;
  to: string[];
  /** The message (RFC 5322), without the soft line breaks of quoted-printable. */
  message: string;
}

interface MailServer {
  url: string;
  received: ReceivedEmail[];
  /** The reply code to each recipient from now on; null accepts it. */
  refuseWith: number | null;
  close(): Promise<void>;
}

/** @param port 0: a free one */
export async function startMailServer(port = 0): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, callback) => {
      const code = mail.refuseWith;
      callback(code === null ? null : Object.assign(new Error('not here'), { responseCode: code }));
    },
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const message = Buffer.concat(chunks).toString().replaceAll('=\r\n', '');
        mail.received.push({ from, to: envelope.rcptTo.map(({ address }) => address), message });
        callback();
      });
    },
  });
  const mail: MailServer = {
    url: '',
    received: [],
    refuseWith: null,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const listener = server.listen(port, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const address = listener.address();
  mail.url = `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : port}`;
  return mail;
}
