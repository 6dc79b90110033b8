/** A text that is English in every language of the dashboard: the API's messages. */
import type { ComponentChildren } from 'preact';
import { language } from '../words/language.ts';
import { sentence } from './parts.tsx';

export const InEnglish = ({ text }: { text: string }): ComponentChildren =>
  language() === 'en' ? text : <span lang="en">{text}</span>;

/** A message without the request that it ends in: the page has a button. "Connect a processor: POST /v1/…." */
export const withoutRequest = (message: string): string => message.replace(/: [A-Z]+ \/v1\/\S+$/, '.');

/** A name of the API as English words: `card_declined` is "Card declined". Show it to English readers, or in {@link InEnglish}. */
export const apiName = (name: string): string => sentence(name.replace(/[_.]/g, ' '));
