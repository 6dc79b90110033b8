/** Attention items as REST shows them. */
import { z } from 'zod';
import { ATTENTION_KINDS, type AttentionItem } from '../domain/attention.ts';
import { attentionWords, type Reader } from './attention-words.ts';
import { FIELDS, field } from './fields.ts';

const time = (description: string) => field(z.iso.datetime().nullable(), description, null);

export const AttentionItemResource = z
  .object({
    attention_item_id: field(z.string(), 'The item, `att_…`.', 'att_fcat7k2m9vqx4hdw6znt3cbyj8'),
    kind: field(
      z.enum(ATTENTION_KINDS),
      'The kind of the cause. New kinds can be added: show `title` for a kind that you do not know.',
      'late_charge',
    ),
    title: field(z.string(), 'What happened, in a few words.', '$42.50 at Demo Diner was paid late'),
    detail: field(
      z.string(),
      'What it means.',
      'The charge was reported as failed, but the processor charged the card. The caller may have heard that nothing was charged.',
    ),
    advice: field(z.string(), 'What to do.', 'Deliver the order, or refund the charge.'),
    dashboard_path: field(
      z.string(),
      'The page in the dashboard, after `/dashboard/test` or `/dashboard/live`.',
      '/charges/ch_x6ueh4kxj94cewxy97eft8edv6',
    ),
    object_id: field(
      z.string().nullable(),
      'The object with the cause: a charge, refund, dispute, merchant, webhook endpoint, event or key. Null if there is none.',
      'ch_x6ueh4kxj94cewxy97eft8edv6',
    ),
    merchant_id: FIELDS.merchant_id.nullable().describe('The merchant. Null if the cause concerns all of them.'),
    is_service: field(
      z.boolean(),
      'True if the cause is a missing part of the service, which concerns all accounts.',
      false,
    ),
    opened_at: field(z.iso.datetime(), 'When the cause was found: ISO 8601, in UTC.', '2026-11-20T12:00:40.000Z'),
    closed_at: time('When the cause was found to be gone. Otherwise null.'),
    done_at: time('When it was last marked as done. Otherwise null.'),
    quiet_until: time('Until when it is quiet. Otherwise null.'),
  })
  .meta({ id: 'AttentionItem', description: 'A problem that needs a person. Closes when its cause is gone.' });
export type AttentionItemResource = z.infer<typeof AttentionItemResource>;

/** Subjects that are the ID of an object. */
const OBJECT_ID = /^(ch|re|dp|mer|we|evt|key)_\w+$/;

/** @param reader of its words. Default: in English, with days in UTC */
export function attentionItemResource(item: AttentionItem, reader: Reader = {}): AttentionItemResource {
  const { title, detail, advice, path } = attentionWords(item, reader);
  return {
    attention_item_id: item.id,
    kind: item.kind,
    title,
    detail,
    advice,
    dashboard_path: path,
    object_id: OBJECT_ID.test(item.subject) ? item.subject : item.merchantId,
    merchant_id: item.merchantId,
    is_service: item.accountId === null,
    opened_at: item.openedAt.toISOString(),
    closed_at: item.closedAt?.toISOString() ?? null,
    done_at: item.doneAt?.toISOString() ?? null,
    quiet_until: item.quietUntil?.toISOString() ?? null,
  };
}
