/** Provides what the demo needs from this machine. Throws a SetupError that says what to install. */
export function provideDemo(): Promise<void>;
