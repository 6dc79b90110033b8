export function provideCommands(commands: readonly string[]): void;
