/** `/v1/callers`: finds callers by number, however it is written; writes a note about one, and erases one. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type CardDeps, eraseCaller } from '../../../checkout/cards/cards.ts';
import { CallerProfileResource, callerProfileResource } from '../../../contract/callers.ts';
import { field } from '../../../contract/fields.ts';
import { insertAuditEvent } from '../../../db/audit/audit-events.ts';
import { ensureCaller, readCallerProfiles, writeCallerNote } from '../../../db/cards/callers.ts';
import { findCallers, ORDER_FILTERS } from '../list-filters.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { phoneNumber, storedText } from '../text-schemas.ts';
import { ErasedConsumer } from './callers.ts';

/** The last digits of a number can be those of many. */
const MOST_CALLERS = 20;
/** A number as dialed in a country can mean one in each country, and most of these are unknown. */
const MOST_CANDIDATES = 100;
const MAX_NOTE_LENGTH = 2_000;

const FindQuery = z.object({
  caller_phone: field(
    ORDER_FILTERS.caller_phone.unwrap(),
    'The number in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or its last 4 to 10 digits. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored.',
    '+15550101234',
  ),
});

const FIND_CALLERS = {
  id: 'find_callers',
  limited: 'read',
  group: 'Callers',
  summary: 'Find callers by number',
  description: `Returns the callers that a number can mean. A whole number returns one caller, even if your account does not know it.
The last digits return up to ${MOST_CALLERS} known callers. Each has the name, the saved cards at all merchants, the consents to
save them, and a note. The caller's calls, charges, checkout sessions and texts are in their lists, with the filter
\`caller_phone\`.`,
  query: FindQuery,
  response: z.object({
    callers: field(z.array(CallerProfileResource), 'The callers.'),
    has_more: field(z.boolean(), 'Whether more numbers end with these digits.', false),
  }),
  answers: 'The callers. Empty if no known number ends with these digits.',
  errors: ['missing_required_fields'],
  example: { query: { caller_phone: '%2B15550101234' } },
} satisfies Operation;

const WHOLE_NUMBER = field(phoneNumber, "The caller's number, E.164.", '+15550101234');

const NoteRequest = z.strictObject({
  caller_phone: WHOLE_NUMBER,
  note: field(
    storedText(MAX_NOTE_LENGTH).nullable(),
    `The note, up to ${MAX_NOTE_LENGTH} characters. Null deletes it. Card data is rejected.`,
    'Calls on behalf of the office on the second floor.',
  ),
});

const CHANGE_CALLER_NOTE = {
  id: 'change_caller_note',
  group: 'Callers',
  role: 'support',
  summary: 'Write a note about a caller',
  description: `Replaces the note about the caller. Only users of the dashboard and keys with the scope \`full\` see it, never the
caller or an agent. Erasing the caller deletes it. The audit trail shows who changed it, but not the note.`,
  request: NoteRequest,
  response: CallerProfileResource,
  answers: 'The caller with the note.',
  errors: ['missing_required_fields'],
  example: { body: { caller_phone: '+15550101234', note: 'Prefers to pay by link.' } },
} satisfies Operation;

const ERASE_CALLER = {
  id: 'erase_caller',
  group: 'Callers',
  summary: 'Erase a caller by number',
  description: `Erases the caller with this number, as \`erase_consumer\` does, even if the caller has no saved card. Calls
and payments stay, without the number.`,
  request: z.strictObject({ caller_phone: field(phoneNumber, "The caller's number, E.164.", '+15550109876') }),
  response: ErasedConsumer,
  answers: 'The caller is erased.',
  errors: ['missing_required_fields'],
  example: { body: { caller_phone: '+15550109876' } },
} satisfies Operation;

export function callerRoutes(app: FastifyInstance, deps: Pick<CardDeps, 'database' | 'onCardDeleted'>): void {
  const { database } = deps;

  addOperation(app, 'GET /callers', FIND_CALLERS, async ({ query }, { scope }) => {
    const phones = await findCallers(database, scope, query.caller_phone);
    const candidates = await readCallerProfiles(database, scope, phones.slice(0, MOST_CANDIDATES));
    const known = phones.length === 1 ? candidates : candidates.filter(({ isKnown }) => isKnown);
    return {
      callers: known.slice(0, MOST_CALLERS).map(callerProfileResource),
      has_more: known.length > MOST_CALLERS || phones.length > MOST_CANDIDATES,
    };
  });

  addOperation(app, 'POST /callers/note', CHANGE_CALLER_NOTE, async ({ body }, { scope, actor }) => {
    await database.transaction(async (sql) => {
      const objectId = await ensureCaller(sql, scope, body.caller_phone);
      await writeCallerNote(sql, objectId, body.note);
      await insertAuditEvent(sql, actor, { ...scope, action: 'consumer.note_changed', objectId });
    });
    const [profile] = await readCallerProfiles(database, scope, [body.caller_phone]);
    if (profile === undefined) throw new Error('a caller was not read back');
    return callerProfileResource(profile);
  });

  addOperation(app, 'POST /callers/erase', ERASE_CALLER, async ({ body }, { scope, actor }) => {
    const id = await ensureCaller(database, scope, body.caller_phone);
    return { consumer_id: await eraseCaller(deps, actor, scope, id), deleted: true as const };
  });
}
