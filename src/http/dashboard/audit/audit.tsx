/** Audit: who changed what, and from where. */

import { AUDIT_ACTIONS } from '../../../domain/audit.ts';
import type { AuditEventResource } from '../../api/routes/audit-events.ts';
import { CodeBlock } from '../../shared/document.tsx';
import { type Filter, periodFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { ObjectLink } from '../page/links.tsx';
import { Time, words } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';

const filters = (): readonly Filter[] => [
  ...periodFilters(),
  { kind: 'choice', name: 'action', label: 'Action', choices: AUDIT_ACTIONS.map((each) => [each, words(each)]) },
  { kind: 'text', name: 'object', label: 'Object', hint: 'ID' },
];

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

export const auditPages = listPage<AuditEventResource>(() => ({
  at: { section: 'audit' },
  title: 'Audit',
  lead: 'Who changed what, and from where. Entries are immutable and are kept for one year.',
  label: 'Changes, newest first',
  source: {
    path: '/v1/audit_events',
    field: 'audit_events',
    idOf: ({ audit_event_id }) => audit_event_id,
  },
  filters: filters(),
  csv: CSV,
  columns: (visit) => [
    { head: 'Action', cell: ({ action }) => <strong>{words(action)}</strong> },
    { head: 'Object', cell: (entry) => <AuditObject visit={visit} entry={entry} /> },
    { head: 'Actor', cell: (entry) => <Actor entry={entry} /> },
    { head: 'Source', kind: 'detail', cell: ({ source }) => source && <span class="quiet">{source}</span> },
    { head: 'Changes', cell: (entry) => <Changes entry={entry} /> },
    { head: 'Created', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  empty: () => ({
    icon: 'shield',
    title: 'No changes yet',
    text: 'Changes to keys, merchants, endpoints and the account appear here, as do refunds and manual settlements, with the user or key that made them.',
  }),
}));

const ACTORS: Record<string, string> = {
  key: 'API key',
  user: 'User',
  demo: 'Demo',
  command: 'Command line',
  system: 'Ringkey',
};

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
    <span>
      {ACTORS[actor] ?? actor} {id !== null && <span class="id">{id}</span>}
    </span>
  );
}

function Changes({ entry: { changes } }: { entry: AuditEventResource }) {
  const names = Object.keys(changes);
  if (names.length === 0) return null;
  return (
    <details>
      <summary>{names.map((name) => words(name).toLowerCase()).join(', ')}</summary>
      <CodeBlock text={JSON.stringify(changes, null, 2)} />
    </details>
  );
}
