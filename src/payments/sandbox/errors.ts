/** When the sandbox's books are away. */

export interface Unknown {
  status: 'unknown';
  cause: string;
}

/** As unknown as a connection lost after the send: whether the row was written is not known. */
export function unreachable(error: unknown): Unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'connection';
  return { status: 'unknown', cause: `unreachable: ${code}` };
}
