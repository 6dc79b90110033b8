/** English words of a merchant's logo. */

export const en = {
  title: 'Logo',
  none: 'No logo. Pay pages show the first letter of the business name.',
  withoutAddress: 'Uploaded. It is shown once RINGKEY_PUBLIC_URL is set.',
  add: 'Add logo',
  change: 'Change logo',
  current: 'Current logo',
  remove: 'Remove logo',
  upload: 'Upload',
  replace: 'Replace',
  file: 'File',
  hint: 'PNG or SVG, up to 50 KB. Pay pages show it on white, 40 pixels high. Give a white logo a background of its own.',
  send: 'Upload logo',
  back: 'Back to the merchant',
  notices: {
    set: 'Logo saved. Pay pages show it now',
    saved: 'Logo saved. Pay pages show it once RINGKEY_PUBLIC_URL is set',
    removed: 'Logo removed',
  },
};

export type LogoWords = typeof en;
