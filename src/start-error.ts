/** Why the program cannot start, in words for the person who started it: shown without a stack. */
export class CannotStart extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CannotStart';
  }
}

const DISK_TROUBLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);
/** Of files only where they name one: sockets have some of these, too. */
const PATH_TROUBLE = new Set(['EACCES', 'EPERM', 'ENOTDIR', 'ENAMETOOLONG']);

/** What to do about a file or folder that cannot be made or written; null for any other error. */
export function diskTrouble(error: unknown): string | null {
  const { code = '', path, syscall, message } = error as NodeJS.ErrnoException;
  // Node says ENOENT of a folder that it was to make on a read-only disk.
  const isPath = path !== undefined && (PATH_TROUBLE.has(code) || (code === 'ENOENT' && syscall === 'mkdir'));
  if (!DISK_TROUBLE.has(code) && !isPath) return null;
  return `${message}\nMake room or give the right to write there, or set RINGKEY_HOME to another folder.`;
}

/** A port that somebody else listens on. `setting` names the variable that moves ours. */
export class PortTaken extends CannotStart {
  readonly setting: string;
  readonly port: number;
  constructor(setting: string, port: number) {
    super(`Port ${port} is taken by another program: stop that, or set ${setting} to a free port.`);
    this.name = 'PortTaken';
    this.setting = setting;
    this.port = port;
  }
}
