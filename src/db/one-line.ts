/**
 * A statement without the room that makes it readable: PostgreSQL counts and copies the text of a prepared one several times
 * whenever it runs. Not for SQL with `--` comments, nor with white space that means something.
 */
export const oneLine = (sql: string): string => sql.trim().replace(/\s+/g, ' ');
