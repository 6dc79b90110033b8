/** The program cannot start. The message is for the operator and is printed without a stack. */
export class CannotStart extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CannotStart';
  }
}

const DISK_TROUBLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);
/** Only in errors that name a file, because sockets have some of these codes too. */
const PATH_TROUBLE = new Set(['EACCES', 'EPERM', 'ENOTDIR', 'ENAMETOOLONG']);

/** What to do about a file or folder that cannot be made or written; null for any other error. */
export function diskTrouble(error: unknown): string | null {
  const { code = '', path, syscall, message } = error as NodeJS.ErrnoException;
  // Node's code for a folder that cannot be made on a read-only disk is ENOENT.
  const isPath = path !== undefined && (PATH_TROUBLE.has(code) || (code === 'ENOENT' && syscall === 'mkdir'));
  if (!DISK_TROUBLE.has(code) && !isPath) return null;
  return `${message}\nFree some space, allow Ringkey to write there, or set RINGKEY_HOME to another folder.`;
}

/** Another program listens on the port. `setting` is the variable that chooses the port. */
export class PortInUse extends CannotStart {
  readonly setting: string;
  readonly port: number;
  /** @param takenBy the program that uses the port, if known */
  constructor(setting: string, port: number, takenBy = 'another program') {
    super(`Port ${port} is used by ${takenBy}: stop it, or set ${setting} to a free port.`);
    this.name = 'PortInUse';
    this.setting = setting;
    this.port = port;
  }
}
