/** The result of screening as a session read shows it. */
import { z } from 'zod';
import {
  ATTESTATION_NOTES,
  ATTESTATIONS,
  LINE_TYPES,
  LOOKUP_FAILURES,
  LOOKUP_NOTES,
  PORT_CHECKS,
  SCREEN_REASONS,
  type Screen,
} from '../domain/screening.ts';
import { field } from './fields.ts';

const listed = (values: readonly string[]) => values.map((value) => `\`${value}\``).join(', ');

export const ScreenResource = z
  .object({
    decision: field(
      z.enum(['allow', 'step_up']),
      '`step_up`: no saved card of this caller is offered or charged; send a link or transfer the call. Only returned if screening found a positive risk signal. Otherwise `allow`.',
      'allow',
    ),
    reasons: field(
      z.array(z.enum(SCREEN_REASONS)),
      `Every positive risk signal: ${listed(SCREEN_REASONS)}. Empty with \`allow\`.`,
      [],
    ),
    notes: field(
      z.array(z.string()),
      `What is missing or failed. A note never causes a step-up. From the lookup: ${listed([...LOOKUP_NOTES, ...LOOKUP_FAILURES])}. From the attestation: ${listed(ATTESTATION_NOTES)}. New values may be added.`,
      [],
    ),
    attestation: field(
      z.enum(ATTESTATIONS).nullable(),
      'How far the carriers confirm that the original call came from its number (STIR/SHAKEN): `A`, `B`, `C`, or `Failed` if a signature is invalid. Null if there is no attestation.',
      'A',
    ),
    ported_recently: field(
      z.boolean(),
      'Whether the number was ported or its SIM swapped in the seven days before the lookup.',
      false,
    ),
    port_check: field(
      z.enum(PORT_CHECKS),
      'The result for those seven days: `ported`, `swapped` (the SIM), `clear` (neither), or `unknown` (the lookup could not tell, or there was none).',
      'clear',
    ),
    line_type: field(z.enum(LINE_TYPES), `${listed(LINE_TYPES)}.`, 'mobile'),
    carrier: field(
      z.string().nullable(),
      'The carrier of the number, as named by the lookup. Otherwise null.',
      'Example Wireless',
    ),
    checked_at: field(
      z.iso.datetime().nullable(),
      'When the number was looked up: ISO 8601, in UTC. Null if no lookup has finished. A lookup is reused for 24 hours.',
      '2026-11-20T12:00:00.000Z',
    ),
    attested_at: field(
      z.iso.datetime().nullable(),
      'When the attestation was received. Null if there is none.',
      '2026-11-20T12:00:00.000Z',
    ),
  })
  .meta({
    id: 'Screen',
    description:
      'What screening found about the caller: why a caller receives a link instead of an offer of saved cards. Never speak it.',
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
