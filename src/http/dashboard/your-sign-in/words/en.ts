/** English words of "Your sign-in". */
export const en = {
  language: {
    title: 'Language',
    label: 'Language of the dashboard',
    browsers: 'Language of the browser',
    save: 'Save language',
  },
};

export type YourSignInWords = typeof en;
