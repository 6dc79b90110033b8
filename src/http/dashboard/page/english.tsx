/** A text that is English in every language of the dashboard: the API's messages. */
import { language } from '../words/language.ts';

export const InEnglish = ({ text }: { text: string }) =>
  language() === 'en' ? <>{text}</> : <span lang="en">{text}</span>;
