/** French words of "Your sign-in". */
import type { YourSignInWords } from './en.ts';

export const fr: YourSignInWords = {
  language: {
    title: 'Langue',
    label: 'Langue du tableau de bord',
    browsers: 'Langue du navigateur',
    save: 'Enregistrer la langue',
  },
};
