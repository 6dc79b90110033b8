/** The result of screening as a session read shows it. */
import { z } from 'zod';
import {
  ATTESTATION_NOTES,
  ATTESTATIONS,
  LINE_TYPES,
  LOOKUP_FAILURES,
  LOOKUP_NOTES,
  PORT_CHECKS,
  type Screen,
  SCREEN_REASONS,
} from '../domain/screening.ts';
import { field } from './fields.ts';

const listed = (values: readonly string[]) => values.map((value) => `\`${value}\``).join(', ');

export const ScreenResource = z
  .object({
    decision: field(
      z.enum(['allow', 'step_up']),
      '`step_up`: no saved card of this caller is offered or charged; send a link, or transfer. Only where a positive bad signal was found. Else `allow`.',
      'allow',
    ),
    reasons: field(
      z.array(z.enum(SCREEN_REASONS)),
      `Every positive bad signal: ${listed(SCREEN_REASONS)}. Empty with \`allow\`.`,
      [],
    ),
    notes: field(
      z.array(z.string()),
      `What is missing or failed; never a cause. Of a look-up: ${listed([...LOOKUP_NOTES, ...LOOKUP_FAILURES])}. Of the attestation: ${listed(ATTESTATION_NOTES)}. More may come.`,
      [],
    ),
    attestation: field(
      z.enum(ATTESTATIONS).nullable(),
      'How far the carriers vouch that the original call came from its number (STIR/SHAKEN): `A`, `B`, `C`, or `Failed` where a signature does not hold. Null where there is none.',
      'A',
    ),
    ported_recently: field(
      z.boolean(),
      'The number was ported, or its SIM swapped, within the seven days before the look-up.',
      false,
    ),
    port_check: field(
      z.enum(PORT_CHECKS),
      'Of those seven days: `ported`; `swapped`, its SIM; `clear`, neither; `unknown`, the look-up could not say, or there is none.',
      'clear',
    ),
    line_type: field(z.enum(LINE_TYPES), `${listed(LINE_TYPES)}.`, 'mobile'),
    carrier: field(
      z.string().nullable(),
      'The carrier of the number, in the words of the look-up; else null.',
      'Example Wireless',
    ),
    checked_at: field(
      z.iso.datetime().nullable(),
      'When the number was looked up: ISO 8601, in UTC. Null where no look-up has resolved. A look-up is reused for 24 hours.',
      '2026-11-20T12:00:00.000Z',
    ),
    attested_at: field(
      z.iso.datetime().nullable(),
      'When the attestation came. Null where none has.',
      '2026-11-20T12:00:00.000Z',
    ),
  })
  .meta({
    id: 'Screen',
    description:
      'What screening found of the caller: why one is sent a link instead of being offered a saved card. Never to be spoken.',
  });
export type ScreenResource = z.infer<typeof ScreenResource>;

export function screenResource(screen: Screen): ScreenResource {
  return {
    decision: screen.decision,
    reasons: screen.reasons,
    notes: screen.notes,
    attestation: screen.attestation,
    ported_recently: screen.portedRecently,
    port_check: screen.portCheck,
    line_type: screen.lineType,
    carrier: screen.carrier,
    checked_at: isoOf(screen.checkedAtMs),
    attested_at: isoOf(screen.attestedAtMs),
  };
}

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
