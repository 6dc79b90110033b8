/** Sends one JSON request to a vendor, which may carry a keyed card. See card-request.ts. */
import type { KeyedCard } from '../../flow/effects.ts';
import { type CardPlaces, cardParts, cardPartsWithNumbers, fillPlaces, sendOnce } from './card-request.ts';

export interface JsonRequest {
  /** `https://host`, or of a fake server `http://127.0.0.1:…`. */
  base: URL;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: object | undefined;
  /** The card that the request carries, and its placeholders. */
  keyed?: { card: KeyedCard; places: CardPlaces } | undefined;
  /** Sends the card's date as numbers, as most vendors want it. */
  datesAreNumbers?: boolean;
  onAnswer?: ((answer: Pick<Response, 'headers'>) => void) | undefined;
}

/** @returns the response's status and text. @throws NoAnswer */
export async function sendJson(
  { base, method, path, headers, onAnswer, ...content }: JsonRequest,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  const bytes = bytesOf(content);
  try {
    const isPlain = base.protocol === 'http:';
    const target = { host: base.hostname, port: base.port || (isPlain ? 80 : 443), path, method, isPlain };
    const { answer, text } = await sendOnce(
      {
        ...target,
        headers: {
          Accept: 'application/json',
          'Content-Length': bytes.length,
          ...(content.body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
      },
      bytes,
      signal,
    );
    onAnswer?.({ headers: new Headers({ date: answer.headers.date ?? '' }) });
    return { status: answer.statusCode ?? 0, text };
  } finally {
    bytes.fill(0);
  }
}

/** Placeholders that are sent as numbers lose their quotes. */
function bytesOf({ body, keyed, datesAreNumbers = false }: Pick<JsonRequest, 'body' | 'keyed' | 'datesAreNumbers'>) {
  const text = body === undefined ? '' : JSON.stringify(body);
  if (keyed === undefined) return Buffer.from(text);
  const { card, places } = keyed;
  if (!datesAreNumbers) return fillPlaces(text, places, cardParts(card));
  const numbers = [places.month, places.year].reduce((left, place) => left.replace(`"${place}"`, place), text);
  return fillPlaces(numbers, places, cardPartsWithNumbers(card));
}

export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
