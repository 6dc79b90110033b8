/** Parts of disputes that several pages show. */
import type { DisputeResource } from '../../../contract/disputes.ts';
import { ObjectLink } from '../page/links.tsx';
import { Badge, moneyText, Notice, Time, type TimelineEntry, type Tone, words } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';

const TONES: Record<DisputeResource['status'], Tone> = {
  needs_response: 'bad',
  under_review: 'wait',
  won: 'good',
  lost: 'bad',
  closed: 'plain',
};

export const DisputeBadge = ({ dispute: { status } }: { dispute: DisputeResource }) => (
  <Badge status={status} tone={TONES[status]} />
);

/** On the pages of the dispute and its charge, while evidence can be sent. */
export function AnswerDispute({ visit, dispute }: { visit?: Visit; dispute: DisputeResource }) {
  const { kind, evidence_due_at: dueAt } = dispute;
  const title =
    kind === 'inquiry' ? 'The payer’s bank asks about this payment' : 'The payer’s bank disputes this payment';
  return (
    <Notice tone="bad" title={title}>
      Send evidence in the processor’s dashboard, or accept the dispute there.
      {dueAt !== null && (
        <>
          {' '}
          The processor accepts evidence until <Time at={dueAt} full />.
        </>
      )}
      {visit !== undefined && (
        <>
          {' '}
          <ObjectLink visit={visit} to="dispute" id={dispute.dispute_id} name="Show the dispute" />
        </>
      )}
    </Notice>
  );
}

/** For the activity of a charge or checkout: the opening, and the last change. */
export function disputeEntries(visit: Visit, dispute: DisputeResource): TimelineEntry[] {
  const { status, kind, created_at: createdAt, updated_at: updatedAt } = dispute;
  const amount = moneyText(dispute.amount_cents, dispute.currency);
  const more = (
    <>
      {words(dispute.reason)} · <ObjectLink visit={visit} to="dispute" id={dispute.dispute_id} />
    </>
  );
  const what = kind === 'inquiry' ? `The bank asked about ${amount}` : `The bank disputed ${amount}`;
  const opened: TimelineEntry = { at: createdAt, kind: 'Dispute', tone: 'bad', what, more };
  if (updatedAt === createdAt) return [opened];
  const changed = `Dispute: ${words(status).toLowerCase()}`;
  return [opened, { at: updatedAt, kind: 'Dispute', tone: TONES[status], what: changed, more }];
}
