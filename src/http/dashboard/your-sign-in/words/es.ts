/** Spanish words of "Your sign-in". */
import type { YourSignInWords } from './en.ts';

export const es: YourSignInWords = {
  language: {
    title: 'Idioma',
    label: 'Idioma del panel',
    browsers: 'Idioma del navegador',
    save: 'Guardar idioma',
  },
};
