/** English words of the API keys' pages. */
import type { KeyResource } from '../../../../accounts/keys/resources.ts';
import type { Mode } from '../../../../domain/session.ts';

type Scopes = Readonly<Record<KeyResource['scope'], string>>;

const scopes: Scopes = { agent: 'Agent: takes payments', full: 'Full: everything' };
/** For the choice, with what each includes. */
const scopeChoices: Scopes = {
  agent: 'Agent: creates checkouts, charges, texts links, reads sessions',
  full: 'Full: everything, including refunds and settings',
};

export const en = {
  title: 'API keys',
  lead: 'Keep keys on your servers. Never put them in a prompt, a browser or an app.',
  label: 'API keys, newest first',
  add: 'Create a key',
  heads: { name: 'Name', prefix: 'Prefix', scope: 'Scope', status: 'Status', created: 'Created' },
  scopes,
  scopeChoices,
  empty: {
    title: (mode: Mode) => `No ${mode} keys yet`,
    text: 'Your servers authenticate with a key. Give your voice agent a key with the scope “agent”, which can only take payments.',
  },
  states: { active: 'Active', expiring: 'Expiring', expired: 'Expired', revoked: 'Revoked' },
  createLead: (mode: Mode) => `This key only works in ${mode} mode.`,
  create: 'Create key',
  fields: {
    name: 'Name',
    nameHint: 'Describes where the key is used.',
    scope: 'Scope',
    sources: 'Allowed IP addresses',
    sourcesHint: 'One address or CIDR block per line. Leave empty to allow any address.',
  },
  created: 'Key created',
  rolled: 'Key rolled',
  copyNow: 'Copy the key now',
  copy: 'Copy the key',
  what: 'Send it in the Authorization header, from your servers only.',
  facts: {
    key: 'Key',
    prefix: 'Prefix',
    scope: 'Scope',
    sources: 'Allowed IP addresses',
    any: 'Any',
    created: 'Created',
    expires: 'Expires',
    revoked: 'Revoked',
  },
  roll: {
    title: 'Roll key',
    about:
      'Replaces this key with a new one that has the same permissions. The new key is shown once. Both keys work until the old one expires.',
    oldExpires: 'Old key expires',
  },
  revoke: {
    title: 'Revoke key',
    about: 'Requests with this key fail within a second. You can’t undo this.',
  },
};

export type KeyWords = typeof en;
