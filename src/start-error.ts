/** Why the program cannot start, in words for the person who started it: shown without a stack. */
export class CannotStart extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CannotStart';
  }
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
