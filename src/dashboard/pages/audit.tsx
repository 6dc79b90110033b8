/** Audit: who changed what, and from where. */
import { CodeBlock } from '../../markup/code-block.tsx';
import type { AuditEventResource } from '../../api/routes/audit-events.ts';
import { AUDIT_ACTIONS } from '../../domain/audit.ts';
import { downloadList, type ListSource, readList } from '../list-reading.ts';
import type { AddPages, View } from '../page-routes.ts';
import type { Filter } from '../views/filters.tsx';
import { ListPage } from '../views/list-page.tsx';
import { EmptyState, Time, words } from '../views/parts.tsx';
import type { Visit } from '../visit.ts';

export const auditPages: AddPages = ({ page, download }) => {
  page('/audit', showAudit);
  download('/audit.csv', (visit, reply) =>
    downloadList(visit, reply, AUDIT_EVENTS, { filters: FILTERS, columns: CSV }),
  );
};

const AUDIT_EVENTS: ListSource<AuditEventResource> = {
  ...{ path: '/v1/audit_events', field: 'audit_events', idOf: ({ audit_event_id }) => audit_event_id },
};

const FILTERS: readonly Filter[] = [
  { kind: 'choice', name: 'action', label: 'What was done', choices: AUDIT_ACTIONS.map((each) => [each, words(each)]) },
  { kind: 'text', name: 'object', label: 'To', hint: 'An id' },
];

const CSV: readonly (keyof AuditEventResource)[] = [
  ...(['audit_event_id', 'created_at', 'action', 'object_type', 'object_id', 'actor', 'actor_id'] as const),
  ...(['source', 'request_id', 'environment', 'changes'] as const),
];

async function showAudit(visit: Visit): Promise<View> {
  const reading = await readList(visit, AUDIT_EVENTS, FILTERS);
  return {
    title: 'Audit',
    section: 'audit',
    body: (
      <ListPage
        visit={visit}
        title="Audit"
        lead="Who changed what, and from where. Nobody can change an entry; it is kept for a year."
        label="Changes, newest first"
        filters={FILTERS}
        reading={reading}
        source={AUDIT_EVENTS}
        hasCsv
        columns={[
          { head: 'What was done', cell: ({ action }) => <strong>{words(action)}</strong> },
          { head: 'To', cell: ({ object_id }) => <span class="id">{object_id}</span> },
          { head: 'By', cell: (entry) => <span>{actorOf(entry)}</span> },
          { head: 'Changes', cell: (entry) => <Changes entry={entry} /> },
          { head: 'When', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          <EmptyState
            icon="shield"
            title="Nothing was changed yet"
            text="Changes of keys, merchants, endpoints and the account, refunds and settlements by hand are written down here, with who made them."
          />
        }
      />
    ),
  };
}

const ACTORS: Record<string, string> = {
  key: 'API key',
  user: 'User',
  demo: 'The demo',
  command: 'Command line',
  system: 'The service',
};

function actorOf({ actor, actor_id: id, source }: AuditEventResource): string {
  const name = ACTORS[actor] ?? actor;
  return [id === null ? name : `${name} ${id}`, source === null ? null : `from ${source}`].filter(Boolean).join(' ');
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
