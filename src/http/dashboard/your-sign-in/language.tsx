/** The user's language of the dashboard. */
import { setLanguage } from '../../../db/users/users.ts';
import { LANGUAGE_TAGS, languageFor } from '../../../languages/index.ts';
import { ChoiceField, unsent } from '../form/fields.tsx';
import { Form } from '../form/form.tsx';
import { DashboardFault } from '../page/faults.ts';
import type { AddPages } from '../page/page-routes.ts';
import { Block } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { HERE, type OwnDeps, ownOf } from './parts.tsx';
import { yourSignInWords } from './words/index.ts';

const PATH = `${HERE}/language`;
/** The value of the choice that follows the browser. */
const BROWSERS = '';

export function LanguageChoice({ visit }: { visit: Visit }) {
  const w = yourSignInWords().language;
  const ownNames = LANGUAGE_TAGS.map((tag) => [tag, languageFor(tag).page.name] as const);
  return (
    <Block title={w.title}>
      <Form visit={visit} action={PATH} submit={w.save} tone="plain">
        <ChoiceField
          form={unsent({ language: visit.user.language ?? BROWSERS })}
          name="language"
          label={w.label}
          choices={[[BROWSERS, w.browsers], ...ownNames]}
          languageOf={(tag) => tag || undefined}
        />
      </Form>
    </Block>
  );
}

export const yourLanguagePages =
  (deps: OwnDeps): AddPages =>
  ({ action }) =>
    action(PATH, async (visit, { language = '' }) => {
      await ownOf(deps, visit);
      const chosen = language === BROWSERS ? null : LANGUAGE_TAGS.find((tag) => tag === language);
      if (chosen === undefined) throw new DashboardFault('refused');
      await setLanguage(deps.database, visit.user.userId, chosen);
      return { to: HERE };
    });
