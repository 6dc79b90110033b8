/** Audit: who changed what, and from where. */

import type { AuditEventResource } from '../../api/routes/audit-events.ts';
import { CodeBlock } from '../../shared/document.tsx';
import { type Filter, periodFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { apiName, InEnglish } from '../page/english.tsx';
import { ObjectLink } from '../page/links.tsx';
import { Time } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { choicesOf } from '../words/names/index.ts';
import { auditWords } from './words/index.ts';

function filters(): readonly Filter[] {
  const w = auditWords();
  return [
    ...periodFilters(),
    { kind: 'choice', name: 'action', label: w.heads.action, choices: choicesOf(w.actions) },
    { kind: 'text', name: 'object', label: w.heads.object, hint: w.objectHint },
  ];
}

const CSV: readonly (keyof AuditEventResource)[] = [
  'audit_event_id',
  'created_at',
  'action',
  'object_type',
  'object_id',
  'object_name',
  'actor',
  'actor_id',
  'source',
  'request_id',
  'environment',
  'changes',
];

export const auditPages = listPage<AuditEventResource>(() => {
  const w = auditWords();
  return {
    at: { section: 'audit' },
    title: w.title,
    lead: w.lead,
    label: w.label,
    source: {
      path: '/v1/audit_events',
      field: 'audit_events',
      idOf: ({ audit_event_id }) => audit_event_id,
    },
    filters: filters(),
    csv: CSV,
    columns: (visit) => [
      { head: w.heads.action, cell: ({ action }) => <strong>{w.actions[action]}</strong> },
      { head: w.heads.object, width: 'id', cell: (entry) => <AuditObject visit={visit} entry={entry} /> },
      { head: w.heads.actor, cell: (entry) => <Actor entry={entry} /> },
      {
        head: w.heads.source,
        kind: 'detail',
        width: 'short',
        cell: ({ source }) => source && <span class="quiet">{source}</span>,
      },
      { head: w.heads.changes, cell: (entry) => <Changes entry={entry} /> },
      { head: w.heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
    ],
    empty: () => ({ icon: 'shield', title: w.empty.title, text: w.empty.text }),
  };
});

/** A link if the object has a page. Merchants are shown by their names. */
function AuditObject({
  visit,
  entry: { object_type: type, object_id: id, object_name: name },
}: {
  visit: Visit;
  entry: AuditEventResource;
}) {
  const to = LINKED.find((each) => each === type);
  return to === undefined ? <span class="id">{id}</span> : <ObjectLink visit={visit} to={to} id={id} name={name} />;
}

const LINKED = ['call', 'charge', 'refund', 'merchant'] as const;

function Actor({ entry: { actor, actor_id: id } }: { entry: AuditEventResource }) {
  return (
    <span class="actor">
      {auditWords().actors[actor]} {id !== null && <span class="id">{id}</span>}
    </span>
  );
}

function Changes({ entry: { changes } }: { entry: AuditEventResource }) {
  const names = Object.keys(changes);
  if (names.length === 0) return null;
  return (
    <details class="changes">
      <summary>
        <span class="names">
          <InEnglish text={names.map((name) => apiName(name).toLowerCase()).join(', ')} />
        </span>
      </summary>
      <CodeBlock text={JSON.stringify(changes, null, 2)} />
    </details>
  );
}
