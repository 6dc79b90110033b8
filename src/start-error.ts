/** Why the program cannot start, in words for the operator: printed without a stack. */
export class CannotStart extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CannotStart';
  }
}

const DISK_TROUBLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);
/** These count only in errors that name a file: sockets have some of them, too. */
const PATH_TROUBLE = new Set(['EACCES', 'EPERM', 'ENOTDIR', 'ENAMETOOLONG']);

/** What to do about a file or folder that cannot be made or written; null for any other error. */
export function diskTrouble(error: unknown): string | null {
  const { code = '', path, syscall, message } = error as NodeJS.ErrnoException;
  // Node's code for a folder that cannot be made on a read-only disk is ENOENT.
  const isPath = path !== undefined && (PATH_TROUBLE.has(code) || (code === 'ENOENT' && syscall === 'mkdir'));
  if (!DISK_TROUBLE.has(code) && !isPath) return null;
  return `${message}\nMake room or give the right to write there, or set RINGKEY_HOME to another folder.`;
}

/** A port that another program listens on. `setting` is the variable that names another port for ours. */
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
