/** Choices of the settings forms: languages, time zones, and groups of fields. */
import type { ComponentChildren } from 'preact';
import { cached } from '../../../domain/cached-formats.ts';
import { canonicalLanguage } from '../../../domain/language.ts';
import { LANGUAGE_TAGS } from '../../../languages/index.ts';
import { sentence } from '../page/parts.tsx';
import { language } from '../words/language.ts';
import { type Choices, type FormState, SuggestField } from './fields.tsx';
import { TIME_ZONES } from './time-zones.ts';
import { formWords } from './words/index.ts';

const languageNames = cached((locale) => new Intl.DisplayNames(locale, { type: 'language' }));
const nameOf = (tag: string) => sentence(languageNames(language()).of(tag) ?? tag);

/** Regions change the voice, and how amounts and dates are written. */
const REGIONS: Readonly<Record<string, readonly string[]>> = {
  en: ['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-NZ', 'en-IE', 'en-IN', 'en-ZA'],
  de: ['de-DE', 'de-AT', 'de-CH'],
  es: ['es-US', 'es-MX', 'es-ES'],
  fr: ['fr-FR', 'fr-CA', 'fr-BE', 'fr-CH'],
};

/** The languages that the line speaks. */
export const spokenLanguages = (): Choices => LANGUAGE_TAGS.map((tag) => [tag, nameOf(tag)]);

/** The same with their regions. @param current of the merchant: REST accepts any BCP 47 tag */
export function regionalLanguages(current: string | undefined): Choices {
  const tags = LANGUAGE_TAGS.flatMap((tag) => [...(REGIONS[tag] ?? []), tag]);
  const others = current === undefined || current === '' || tags.includes(current) ? [] : [current];
  return [...tags, ...others].map((tag) => [tag, labelOf(tag)]);
}

const labelOf = (tag: string) => (canonicalLanguage(tag) === null ? tag : `${nameOf(tag)} (${tag})`);

/** Suggests all time zones of the tz database, by any part of their name. Read it with `timeZoneIn`. */
export function TimeZoneField({
  form,
  hint,
  isOwn,
}: {
  form: FormState;
  hint?: string;
  /** If it is empty, the page's script fills in the zone of the browser. */
  isOwn?: true;
}) {
  return (
    <SuggestField
      form={form}
      name="time_zone"
      label={formWords().timeZone}
      hint={hint ?? formWords().timeZoneHint}
      maxlength={50}
      suggestions={TIME_ZONES}
      isOwnZone={isOwn && !form.values.time_zone ? true : undefined}
    />
  );
}

/** A group of fields with a heading. */
export function FieldGroup({ title, about, children }: { title: string; about?: string; children: ComponentChildren }) {
  return (
    <fieldset class="group">
      <legend>{title}</legend>
      {about !== undefined && <p class="hint">{about}</p>}
      {children}
    </fieldset>
  );
}
