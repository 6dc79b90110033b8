/**
 * Payouts at Adyen: the settlement details report of a batch, which a `REPORT_AVAILABLE` notification names, and a "Report
 * service user" may download (docs.adyen.com/reporting/automatically-get-reports). Only its default file name is read.
 */
import { unknown } from '../port/answers.ts';
import type { PayoutAnswer, Payouts } from '../port/payouts.ts';
import { causeOf } from '../vendor-api/faults.ts';
import { HttpError, type OpenAdyen } from './client.ts';
import { faultOf } from './errors.ts';
import { readSettlementReport } from './settlement-report.ts';

const REPORT = /^settlement_detail_report_batch_(\d{1,9})\.csv$/;

/** The payout that a report is about: the number of its batch. Null for other reports. @param name the notification's `pspReference` */
export const payoutIdOf = (name: string): string | null => REPORT.exec(name)?.[1] ?? null;

export function adyenPayouts(open: OpenAdyen): Payouts {
  return {
    async read({ payoutId: batch, ...access }, signal): Promise<PayoutAnswer> {
      try {
        const api = await open(access, signal);
        const { merchant_account: account, report_api_key: key } = api.settings;
        const name = `settlement_detail_report_batch_${batch}.csv`;
        // Without the key, the merchant does not want payouts read.
        if (key === undefined || payoutIdOf(name) === null) return { status: 'not_found' };
        const payout = readSettlementReport(await api.downloadReport(name, key), { batch, account });
        return payout === null ? { status: 'not_found' } : { status: 'found', payout };
      } catch (error) {
        if (error instanceof HttpError && error.status === 404) return { status: 'not_found' };
        return unknown(causeOf(faultOf(error)));
      }
    },
  };
}
