/** Parts of disputes that several pages show. */
import type { DisputeResource } from '../../../contract/disputes.ts';
import { ObjectLink } from '../page/links.tsx';
import { Badge, moneyText, Notice, Time, type TimelineEntry, type Tone } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { names } from '../words/names/index.ts';
import { disputeWords } from './words/index.ts';

const TONES: Record<DisputeResource['status'], Tone> = {
  needs_response: 'bad',
  under_review: 'wait',
  won: 'good',
  lost: 'bad',
  closed: 'plain',
};

export const DisputeBadge = ({ dispute: { status } }: { dispute: DisputeResource }) => (
  <Badge status={status} name={names().disputeStatus[status]} tone={TONES[status]} />
);

/** On the pages of the dispute and its charge, while evidence can be sent. */
export function AnswerDispute({ visit, dispute }: { visit?: Visit; dispute: DisputeResource }) {
  const { kind, evidence_due_at: dueAt } = dispute;
  const w = disputeWords().answer;
  return (
    <Notice tone="bad" title={w.titles[kind]}>
      {w.text}
      {dueAt !== null && <> {w.until(<Time at={dueAt} full />)}</>}
      {visit !== undefined && (
        <>
          {' '}
          <ObjectLink visit={visit} to="dispute" id={dispute.dispute_id} name={w.show} />
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
      {names().disputeReason[dispute.reason]} · <ObjectLink visit={visit} to="dispute" id={dispute.dispute_id} />
    </>
  );
  const w = disputeWords();
  const opened: TimelineEntry = { at: createdAt, kind: w.kind, tone: 'bad', what: w.opened[kind](amount), more };
  if (updatedAt === createdAt) return [opened];
  const changed = w.changed(names().disputeStatus[status]);
  return [opened, { at: updatedAt, kind: w.kind, tone: TONES[status], what: changed, more }];
}
