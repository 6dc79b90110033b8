/** German words of "Your sign-in". */
import type { YourSignInWords } from './en.ts';

export const de: YourSignInWords = {
  language: {
    title: 'Sprache',
    label: 'Sprache des Dashboards',
    browsers: 'Sprache des Browsers',
    save: 'Sprache speichern',
  },
};
