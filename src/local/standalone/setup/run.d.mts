/** Setup cannot continue. The message says what to do. */
export class SetupError extends Error {}
