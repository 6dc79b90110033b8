/**
 * Rows of kinds that this version does not know are left alone: a newer version wrote them, and its processes handle them.
 * In a rolling upgrade, both versions run side by side.
 */
import { ATTENTION_KINDS } from '../../domain/attention.ts';

const quoted = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');

const KNOWN = quoted(ATTENTION_KINDS);

/** SQL: whether this version knows the kind of an attention item. @param column SQL: the kind */
export const isKnownKind = (column: string): string => `${column} in (${KNOWN})`;

/** SQL: whether this version can render a row of `events`. */
export const IS_KNOWN_EVENT = `(type not like 'attention.%' or ${isKnownKind("facts->>'kind'")})`;
