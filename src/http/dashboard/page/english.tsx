/** A text that is English in every language of the dashboard: the API's messages. */
import type { ComponentChildren } from 'preact';
import { language } from '../words/language.ts';

export const InEnglish = ({ text }: { text: string }): ComponentChildren =>
  language() === 'en' ? text : <span lang="en">{text}</span>;
