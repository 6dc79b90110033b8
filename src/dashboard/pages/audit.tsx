/** Audit: who changed what, and from where. */
import type { z } from 'zod';
import type { AuditEventList, AuditEventResource } from '../../api/routes/audit-events.ts';
import { AUDIT_ACTIONS } from '../../domain/audit.ts';
import type { AddPages, View } from '../page-routes.ts';
import { type Filter, ListPage, listQuery } from '../views/list-page.tsx';
import { EmptyState, Time, words } from '../views/parts.tsx';
import type { Visit } from '../visit.ts';

export const auditPages: AddPages = ({ page }) => {
  page('/audit', showAudit);
};

const FILTERS: readonly Filter[] = [
  { kind: 'choice', name: 'action', label: 'What was done', choices: AUDIT_ACTIONS.map((each) => [each, words(each)]) },
  { kind: 'text', name: 'object', label: 'To', hint: 'An id' },
];

async function showAudit(visit: Visit): Promise<View> {
  const query = listQuery(visit, FILTERS);
  const answer = await visit.ask<z.infer<typeof AuditEventList>>({ path: '/v1/audit_events', query });
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
        rows={answer.audit_events}
        hasMore={answer.has_more}
        idOf={({ audit_event_id }) => audit_event_id}
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

function actorOf({ actor, actor_id: id, source }: z.infer<typeof AuditEventResource>): string {
  const name = ACTORS[actor] ?? actor;
  return [id === null ? name : `${name} ${id}`, source === null ? null : `from ${source}`].filter(Boolean).join(' ');
}

function Changes({ entry: { changes } }: { entry: z.infer<typeof AuditEventResource> }) {
  const names = Object.keys(changes);
  if (names.length === 0) return null;
  return (
    <details>
      <summary>{names.map((name) => words(name).toLowerCase()).join(', ')}</summary>
      <pre>{JSON.stringify(changes, null, 2)}</pre>
    </details>
  );
}
