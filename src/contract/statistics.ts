/** Statistics as REST shows them. */
import { z } from 'zod';
import { DECLINE_CODES } from '../domain/charge.ts';
import type { Mode } from '../domain/session.ts';
import {
  type ChargeCounts,
  FUNNEL_STEPS,
  type PeriodFigures,
  type Statistics,
  type StatisticsRequest,
} from '../domain/statistics.ts';
import { FIELDS, field } from './fields.ts';

const COUNTS = {
  charges_succeeded: field(z.int(), 'Charges that succeeded.', 42),
  charges_failed: field(z.int(), 'Charges that failed.', 6),
  payments: field(
    z.array(
      z.object({
        currency: FIELDS.currency,
        count: field(z.int(), 'How many charges succeeded.', 42),
        amount_cents: field(
          z.int(),
          'What they come to, in minor units. What was given back since is not taken off.',
          178_500,
        ),
      }),
    ),
    'The charges that succeeded, by currency.',
  ),
};

export const StatisticsFigures = z
  .object({
    from: field(
      z.iso.datetime(),
      'What was made at this time or after it is counted: ISO 8601, in UTC.',
      '2026-11-13T12:00:00.000Z',
    ),
    to: field(z.iso.datetime(), 'What was made before this time is counted.', '2026-11-20T12:00:00.000Z'),
    ...COUNTS,
    charges_pending: field(z.int(), 'Charges without a result yet. They are in no other figure.', 0),
    success_rate: field(
      z.number().nullable(),
      'Charges that succeeded, of those that succeeded or failed: 0 to 1. Each attempt counts. Null where there are none.',
      0.875,
    ),
    median_seconds_to_pay: field(
      z.number().nullable(),
      'The median time from the answer of a call to the settled charge that it ended with. Null where there is none.',
      41.5,
    ),
    funnel: field(
      z.array(
        z.object({
          step: field(
            z.enum(FUNNEL_STEPS),
            'The step: the question of that name; `answered`, the call was answered; `charge`, the card was sent to the processor; `returned`, the caller was to go back to the agent.',
            'card_number',
          ),
          reached: field(z.int(), 'Calls that came to this step. 0: it was not asked for.', 51),
          went_on: field(
            z.int(),
            'Those of them that came to a later step, or were paid. Of `charge`: were paid. Of `returned`: are back with the agent.',
            47,
          ),
        }),
      ),
      'How far the calls came, in the order of the steps: answered calls of the period that are over. A call that is not asked for something (a confirmation, say) does not count in that step, so that it is no loss there.',
    ),
    declines: field(
      z.array(
        z.object({
          decline_code: field(
            z.enum(DECLINE_CODES).nullable(),
            'As in the errors of charges. Null: it was not the card.',
            'insufficient_funds',
          ),
          count: field(z.int(), 'Charges that failed so.', 4),
        }),
      ),
      'Charges that failed, by reason, the most frequent first.',
    ),
  })
  .meta({ id: 'StatisticsFigures', description: 'The figures of a period.' });
export type StatisticsFigures = z.infer<typeof StatisticsFigures>;

export const StatisticsResource = z
  .object({
    environment: FIELDS.environment,
    merchant_id: field(z.string().nullable(), 'Whose figures they are. Null: those of all merchants.', null),
    time_zone: field(z.string(), 'Where the days begin: IANA.', 'UTC'),
    period: field(StatisticsFigures, 'The period that was asked for.'),
    period_before: field(StatisticsFigures, 'The time of the same length before it.'),
    days: field(
      z.array(z.object({ date: field(z.iso.date(), 'The day, in `time_zone`.', '2026-11-20'), ...COUNTS })),
      'Each day of the period; the first and the last may be there in part.',
    ),
    merchants: field(
      z.array(z.object({ merchant_id: FIELDS.merchant_id, ...COUNTS })),
      'The merchants of the period, the one with the most charges first, 50 at most.',
    ),
  })
  .meta({ id: 'Statistics', description: 'Payments over a time, beside the time before.' });
export type StatisticsResource = z.infer<typeof StatisticsResource>;

export function statisticsResource(
  { period, before, merchants, days }: Statistics,
  { timeZone, merchantId }: Pick<StatisticsRequest, 'timeZone' | 'merchantId'>,
  mode: Mode,
): StatisticsResource {
  return {
    environment: mode,
    merchant_id: merchantId,
    time_zone: timeZone,
    period: figuresOf(period),
    period_before: figuresOf(before),
    days: days.map((day) => ({ date: day.date, ...countsOf(day) })),
    merchants: merchants.map((merchant) => ({ merchant_id: merchant.merchantId, ...countsOf(merchant) })),
  };
}

function figuresOf(figures: PeriodFigures): StatisticsFigures {
  const { succeeded, failed } = figures;
  return {
    from: figures.from.toISOString(),
    to: figures.to.toISOString(),
    ...countsOf(figures),
    charges_pending: figures.pending,
    success_rate: succeeded + failed === 0 ? null : succeeded / (succeeded + failed),
    median_seconds_to_pay: figures.medianSecondsToPay,
    funnel: figures.funnel.map(({ step, reached, wentOn }) => ({ step, reached, went_on: wentOn })),
    declines: figures.declines.map(({ code, count }) => ({
      decline_code: DECLINE_CODES.find((known) => known === code) ?? (code === null ? null : 'generic_decline'),
      count,
    })),
  };
}

function countsOf({ succeeded, failed, payments }: ChargeCounts) {
  return {
    charges_succeeded: succeeded,
    charges_failed: failed,
    payments: payments.map(({ currency, count, amountCents }) => ({ currency, count, amount_cents: amountCents })),
  };
}
