/** Erasing a caller: a confirmation that says what stays, then the request. */
import { roleCovers } from '../../../domain/user.ts';
import { GuardedForm } from '../form/form.tsx';
import { callerPath } from '../page/links.tsx';
import type { FormFields, Taken } from '../page/page-routes.ts';
import { Notice, PageHead } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { RoleTooSmall } from '../sign-in/errors.ts';
import { callerWords } from './words/index.ts';

const ROLE = 'developer';

const erasePath = (phone: string) => `/callers/erase?${new URLSearchParams({ number: phone })}`;

export function EraseLink({ visit, phone }: { visit: Visit; phone: string }) {
  if (!roleCovers(visit.user.role, ROLE)) return null;
  return (
    <a class="button rare" href={visit.base + erasePath(phone)}>
      {callerWords().erase.action}
    </a>
  );
}

/** @throws RoleTooSmall */
export async function confirmErasure(visit: Visit): Promise<Taken> {
  if (!roleCovers(visit.user.role, ROLE)) throw new RoleTooSmall(ROLE);
  const phone = visit.query.number ?? '';
  if (!phone.startsWith('+')) return { to: '/callers' };
  const w = callerWords().erase;
  return {
    title: w.title,
    section: 'calls',
    body: (
      <>
        <PageHead title={w.title} lead={<bdi>{phone}</bdi>} />
        <GuardedForm
          visit={visit}
          action="/callers/erase"
          submit={w.submit(phone)}
          tone="danger"
          cancel={callerPath(phone)}
          signInTo={`${visit.base}${erasePath(phone)}`}
        >
          <input type="hidden" name="number" value={phone} />
          <Notice tone="wait" title={w.noticeTitle}>
            {w.notice}
          </Notice>
        </GuardedForm>
      </>
    ),
  };
}

export async function eraseCaller(visit: Visit, { number = '' }: FormFields): Promise<Taken> {
  await visit.ask({ method: 'POST', path: '/v1/callers/erase', body: { caller_phone: number } });
  return { to: '/callers?notice=erased' };
}
