/** The API keys that a user created. They keep working when an owner limits or removes the user. */
import type { ApiKey } from '../../../domain/key.ts';
import { userWords } from './words/index.ts';

/** @param keys valid ones, of both modes; with none, nothing is shown */
export function CreatedKeys({ keys }: { keys: readonly ApiKey[] }) {
  if (keys.length === 0) return null;
  return (
    <>
      <p>{userWords().createdKeys.list}</p>
      <ul>
        {keys.map(({ id, mode, name, prefix }) => (
          <li>
            <a href={`/dashboard/${mode}/setup/keys/${id}`}>
              <bdi>{name ?? id}</bdi>
            </a>{' '}
            <span class="id">{prefix}…</span>
          </li>
        ))}
      </ul>
    </>
  );
}
