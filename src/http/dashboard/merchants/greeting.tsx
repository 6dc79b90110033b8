/** Plays a merchant's greeting in the language and voice of the form, before they are saved. */

import type { MerchantResource } from '../../../contract/merchants.ts';
import { isSpoken } from '../../../languages/index.ts';
import type { Sample, SampleRefusal } from '../../../speech/sample.ts';
import { isFromOurPage } from '../../api/plugins/local-requests.ts';
import { language as languageTag } from '../../api/text-schemas.ts';
import type { FormState } from '../form/fields.tsx';
import { DashboardFault } from '../page/faults.ts';
import type { AddPages, FormFields } from '../page/page-routes.ts';
import { Notice } from '../page/parts.tsx';
import { sendSound } from '../page/sound.ts';
import { requireDeveloper, type Visit } from '../page/visit.ts';
import type { DashboardDeps } from '../ports.ts';
import { merchantPath, merchantView } from './merchants.tsx';
import { merchantWords } from './words/index.ts';

type Choice = Pick<MerchantResource, 'language' | 'second_language' | 'voice'>;
type GreetingDeps = Pick<DashboardDeps, 'speech'>;

export function greetingPages({ speech }: GreetingDeps): AddPages {
  return ({ action, download }) => {
    action('/setup/merchants/:id/greeting', async (visit, fields) => {
      const merchant = await merchantToHear(visit);
      const choice = choiceOf(speech, merchant, fields);
      const form = (error: FormState['error']) => ({ values: fields, error });
      if ('error' in choice) return merchantView(visit, speech, { merchant, form: form(choice.error) });
      const sample = await sampleOf(speech, visit, merchant, choice);
      const greeting = <Greeting visit={visit} merchant={merchant} choice={choice} sample={sample} />;
      return merchantView(visit, speech, { merchant, form: form(null), greeting });
    });
    download('/setup/merchants/:id/greeting.wav', async (visit, reply) => {
      // A demo opens without a cookie, so requests from other sites must not render voices.
      if (!isFromOurPage(reply.request)) throw new DashboardFault('forbidden');
      const merchant = await merchantToHear(visit);
      const choice = choiceOf(speech, merchant, visit.query);
      if ('error' in choice) throw new DashboardFault('refused', choice.error.message);
      const sample = await sampleOf(speech, visit, merchant, choice);
      if (typeof sample === 'string') {
        const why = merchantWords().greeting.refused[sample];
        throw new DashboardFault(sample === 'busy' ? 'too_many' : 'refused', why, { isOwn: true });
      }
      return sendSound(reply, sample.wav);
    });
  };
}

/**
 * Only for roles that may change the merchant, because rendering a new voice costs money.
 * @throws DashboardFault `forbidden`, `not_found`
 */
async function merchantToHear(visit: Visit<'id'>): Promise<MerchantResource> {
  requireDeveloper(visit);
  return visit.ask<MerchantResource>({ path: merchantPath(visit) });
}

const MAX_VOICE_LENGTH = 100;

/** The chosen settings if REST would accept them, otherwise the error. */
function choiceOf(
  speech: GreetingDeps['speech'],
  merchant: MerchantResource,
  fields: FormFields,
): Choice | { error: NonNullable<FormState['error']> } {
  const text = (name: string) => fields[name]?.trim() ?? '';
  const language = languageTag.safeParse(text('language'));
  const w = merchantWords().greeting;
  if (!language.success) return { error: { param: 'language', message: w.invalidLanguage, isOwn: true } };
  const voice = text('voice') || null;
  const mayHave = voice === null || voice === merchant.voice || speech.mayHaveVoice(voice);
  if (!mayHave || (voice?.length ?? 0) > MAX_VOICE_LENGTH)
    return { error: { param: 'voice', message: w.invalidVoice, isOwn: true } };
  const second = languageTag.safeParse(text('second_language')).data ?? null;
  return { language: language.data, voice, second_language: second !== null && isSpoken(second) ? second : null };
}

function sampleOf(
  speech: GreetingDeps['speech'],
  { user }: Visit,
  { business_name: businessName, currency }: MerchantResource,
  { language, second_language: secondLanguage, voice }: Choice,
): Promise<Sample | SampleRefusal> {
  const account = user.accountId;
  return speech.sample({ account, businessName, currency, language, secondLanguage, voice });
}

/** In the preview, with the anchor `#heard`. */
function Greeting({
  visit,
  merchant,
  choice,
  sample,
}: {
  visit: Visit;
  merchant: MerchantResource;
  choice: Choice;
  sample: Sample | SampleRefusal;
}) {
  const w = merchantWords().greeting;
  if (typeof sample === 'string') {
    return (
      <div id="heard">
        <Notice tone="wait" title={w.none}>
          <p>{w.refused[sample]}</p>
        </Notice>
      </div>
    );
  }
  const { language, second_language, voice } = choice;
  const query = new URLSearchParams({ language, second_language: second_language ?? '', voice: voice ?? '' });
  const address = `${visit.base}/setup/merchants/${merchant.merchant_id}/greeting.wav?${query}`;
  return (
    <figure class="heard" id="heard">
      <figcaption>{sample.isStandIn ? w.heardOther(sample.speakers) : w.heard(sample.speakers)}</figcaption>
      <blockquote>
        {sample.sentences.map(({ text, language: of }) => (
          <p key={text} lang={of}>
            {text}
          </p>
        ))}
      </blockquote>
      {/* biome-ignore lint/a11y/useMediaCaption: its words are shown above. */}
      <audio controls preload="none" src={address} />
      <a href={address}>{w.open}</a>
    </figure>
  );
}
