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
        amount_cents: field(z.int(), 'Their total, in minor units. Later refunds are not subtracted.', 178_500),
        refunded_cents: field(
          z.int(),
          'What was refunded of the charges of this time until now. The refund of a bank debit counts even if the bank has returned the debit.',
          4_250,
        ),
        net_cents: field(z.int(), '`amount_cents` minus `refunded_cents`.', 174_250),
      }),
    ),
    'The charges that succeeded, and refunds, by currency.',
  ),
};

export const StatisticsFigures = z
  .object({
    from: field(
      z.iso.datetime(),
      'Items created at this time or later are counted: ISO 8601, in UTC.',
      '2026-11-13T12:00:00.000Z',
    ),
    to: field(z.iso.datetime(), 'Items created before this time are counted.', '2026-11-20T12:00:00.000Z'),
    ...COUNTS,
    charges_pending: field(z.int(), 'Charges without an outcome yet. They are in no other figure.', 0),
    success_rate: field(
      z.number().nullable(),
      'Succeeded charges divided by succeeded and failed charges: 0 to 1. Each attempt counts. Null if there are none.',
      0.875,
    ),
    median_seconds_to_pay: field(
      z.number().nullable(),
      'The median time from answering a call to settling the charge that it ended with. Null if there is none.',
      41.5,
    ),
    funnel: field(
      z.array(
        z.object({
          step: field(
            z.enum(FUNNEL_STEPS),
            'The step. Most steps are named after the question that the line asks. `answered`: the call was answered. `charge`: the card was sent to the processor. `returned`: the caller was to return to the agent.',
            'card_number',
          ),
          reached: field(
            z.int(),
            'Calls that reached this step: those that `list_calls` lists with this step in `reached`. 0 if the line did not ask for it.',
            51,
          ),
          went_on: field(
            z.int(),
            'The calls that continued to a later step or were paid. For `charge`: calls that were paid. For `returned`: callers who are back with the agent.',
            47,
          ),
          saved: field(
            z.int(),
            'For `charge`: calls that saved a card without a payment. They are not in `went_on`. 0 for other steps.',
            0,
          ),
        }),
      ),
      'How far calls got, in the order of the steps. Counts answered calls of the period that are over. A step that a call skips (a confirmation, for example) does not count for that call, so it is not a loss there.',
    ),
    declines: field(
      z.array(
        z.object({
          decline_code: field(
            z.enum(DECLINE_CODES).nullable(),
            'As in the errors of charges. Null if the card was not the reason.',
            'insufficient_funds',
          ),
          count: field(z.int(), 'Charges that failed for this reason.', 4),
        }),
      ),
      'Failed charges by reason, the most frequent first.',
    ),
  })
  .meta({ id: 'StatisticsFigures', description: 'The figures of a period.' });
export type StatisticsFigures = z.infer<typeof StatisticsFigures>;

export const StatisticsResource = z
  .object({
    environment: FIELDS.environment,
    merchant_id: field(z.string().nullable(), 'The merchant of the figures. Null for all merchants.', null),
    time_zone: field(z.string(), 'The time zone in which days begin, IANA.', 'UTC'),
    period: field(StatisticsFigures, 'The requested period.'),
    period_before: field(
      StatisticsFigures,
      'A period of the same length before it, to compare with. See `compare_from`.',
    ),
    days: field(
      z.array(z.object({ date: field(z.iso.date(), 'The day, in `time_zone`.', '2026-11-20'), ...COUNTS })),
      'Each day of the period. The first and the last day may be partial.',
    ),
    merchants: field(
      z.array(z.object({ merchant_id: FIELDS.merchant_id, ...COUNTS })),
      'The merchants of the period, at most 50, starting with the one with the most charges.',
    ),
  })
  .meta({ id: 'Statistics', description: 'Payments in a period, compared with the period before.' });
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
    funnel: figures.funnel.map(({ step, reached, wentOn, saved }) => ({ step, reached, went_on: wentOn, saved })),
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
    payments: payments.map(({ currency, count, amountCents, refundedCents }) => ({
      currency,
      count,
      amount_cents: amountCents,
      refunded_cents: refundedCents,
      net_cents: amountCents - refundedCents,
    })),
  };
}
