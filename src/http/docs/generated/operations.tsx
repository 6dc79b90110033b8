/** All operations of the API, each with a command that runs. Readable without JavaScript. */
import { type CurlPlace, curlOf } from '../../api/reference/curl.ts';
import { errorsOf } from '../../api/reference/errors.ts';
import { GROUPS, keysSentence, type OperationRoute } from '../../api/reference/operation.ts';
import { CodeBlock } from '../../shared/document.tsx';
import { Markdown } from '../markdown.tsx';

interface OperationsProps {
  routes: readonly OperationRoute[];
  place: CurlPlace;
}

/** The command of one operation. @throws Error if there is no such operation */
export function OperationCurl({ id, routes, place }: OperationsProps & { id: string }) {
  const route = routes.find((each) => each.id === id);
  if (route === undefined) throw new Error(`There is no operation "${id}".`);
  return <CodeBlock text={curlOf(route, routes, place)} />;
}

export const Operations = ({ routes, place }: OperationsProps) => (
  <>
    {Object.keys(GROUPS).map((group) => (
      <GroupSection key={group} group={group} routes={routes} place={place} />
    ))}
  </>
);

function GroupSection({ group, routes, place }: OperationsProps & { group: string }) {
  const members = routes.filter((route) => route.group === group);
  if (members.length === 0) return null;
  return (
    <>
      <h3>{group}</h3>
      {members.map((route) => (
        <Operation key={route.id} route={route} routes={routes} place={place} />
      ))}
    </>
  );
}

const Operation = ({ route, routes, place }: OperationsProps & { route: OperationRoute }) => (
  <details>
    <summary>
      <span class={`method ${route.method}`}>{route.method.toUpperCase()}</span>
      <span class="path">{route.path}</span>
      <span class="what">{route.summary}</span>
    </summary>
    <div id={route.id}>
      <Markdown text={`${route.description}\n\n${keysSentence(route)}`} />
      <CodeBlock text={curlOf(route, routes, place)} />
      <ul class="facts">
        {errorsOf(route).map((name) => (
          <li key={name}>
            <a href={`/docs/api-reference/error-codes#${name}`}>{name}</a>
          </li>
        ))}
      </ul>
    </div>
  </details>
);
