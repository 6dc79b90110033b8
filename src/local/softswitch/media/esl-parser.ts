/**
 * Parses the commands of an event-socket client: a line, headers, a blank line, and a body if there is a
 * Content-Length.
 */

export interface EslCommand {
  /** First line, e.g. `api uuid_break …`. */
  line: string;
  /** Names in lower case. */
  headers: Map<string, string>;
  body: string;
}

/** Limit of a command in bytes. FreeSWITCH's own is 10 MB. */
const MAX_HEAD_BYTES = 256 * 1024;
const MAX_BODY_BYTES = 4 * 1024 * 1024;

const LF = 0x0a;
const CR = 0x0d;

/** The client exceeded a limit: the connection must be closed. */
export class EslProtocolError extends Error {
  override readonly name = 'EslProtocolError';
}

export class EslParser {
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** How many bytes are needed before parsing again. */
  #wanted = 0;
  #pending: EslCommand | null = null;

  /**
   * Reads the next bytes and returns the commands that are now complete.
   * @throws {EslProtocolError}
   */
  push(chunk: Buffer): EslCommand[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#wanted) return [];
    let rest = Buffer.concat(this.#chunks, this.#bytes);
    const commands: EslCommand[] = [];
    for (;;) {
      const taken = this.#take(rest, commands);
      if (taken === 0) break;
      rest = rest.subarray(taken);
    }
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#bytes = rest.length;
    return commands;
  }

  /** @returns how many bytes were used up; 0: more are needed */
  #take(data: Buffer, commands: EslCommand[]): number {
    this.#wanted = 0;
    if (this.#pending) return this.#takeBody(data, this.#pending, commands);
    let start = 0;
    while (data[start] === LF || data[start] === CR) start++;
    const end = headEnd(data, start);
    if (end < 0) {
      if (data.length - start > MAX_HEAD_BYTES) throw new EslProtocolError('Command too long');
      return start;
    }
    const command = parseHead(data.toString('utf8', start, end));
    const length = Number.parseInt(command.headers.get('content-length') ?? '', 10) || 0;
    if (length > MAX_BODY_BYTES) throw new EslProtocolError('Body too long');
    if (length > 0) this.#pending = command;
    else commands.push(command);
    return end;
  }

  #takeBody(data: Buffer, command: EslCommand, commands: EslCommand[]): number {
    const length = Number.parseInt(command.headers.get('content-length') ?? '', 10);
    if (data.length < length) {
      this.#wanted = length;
      return 0;
    }
    command.body = data.toString('utf8', 0, length);
    this.#pending = null;
    commands.push(command);
    return length;
  }
}

/**
 * The index after the blank line (two line feeds with only carriage returns between them); −1 if it has not arrived.
 */
function headEnd(data: Buffer, start: number): number {
  for (let at = data.indexOf(LF, start); at >= 0; at = data.indexOf(LF, at + 1)) {
    let next = at + 1;
    while (data[next] === CR) next++;
    if (data[next] === LF) return next + 1;
  }
  return -1;
}

function parseHead(text: string): EslCommand {
  const [line = '', ...rest] = text.split(/\r*\n/);
  const headers = new Map<string, string>();
  for (const header of rest) {
    const colon = header.indexOf(':');
    if (colon > 0) headers.set(header.slice(0, colon).trim().toLowerCase(), header.slice(colon + 1).trim());
  }
  return { line: line.trim(), headers, body: '' };
}
