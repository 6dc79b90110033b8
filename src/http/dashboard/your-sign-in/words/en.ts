/** English words of "Your sign-in". */
import { plural } from '../../words/formats.ts';

export const en = {
  title: 'Your sign-in',
  notices: {
    added: 'Passkey created',
    removed: 'Passkey removed. You are signed out everywhere else',
    password: 'Password changed. You are signed out everywhere else',
    authenticator: 'Authenticator app changed. You are signed out everywhere else',
  },
  passkeys: {
    title: 'Passkeys',
    none: 'None yet. A passkey is the safest way to sign in because it can’t be phished.',
    label: 'Your passkeys, oldest first',
    heads: { name: 'Name', created: 'Created', used: 'Last used', actions: 'Actions' },
    never: 'Never',
    remove: 'Remove',
    removeIt: (name: string) => `Remove ${name}`,
    create: 'Create passkey',
    name: 'Name of the new passkey',
    nameHint: 'The device that stores it, such as “Work laptop”.',
    sure: (name: string) => `Remove ${name}?`,
    removing:
      'You can no longer sign in with it, and you are signed out in all other browsers. Your device keeps listing the passkey until you delete it there.',
    last: 'This is your only way to sign in. Create another passkey first.',
  },
  password: {
    title: 'Password and authenticator app',
    about: 'You need both to sign in. If you lose the app, sign in with a recovery code and set up a new app here.',
    none: 'None yet. Set them up as a second way to sign in when you don’t have your passkey.',
    change: 'Change password',
    changeApp: 'Change authenticator app',
    setUp: 'Set up password and authenticator app',
    changing: 'This signs you out in all other browsers. Your authenticator app and passkeys stay the same.',
  },
  app: {
    title: 'New authenticator app',
    showKey: 'Show the key',
    first:
      'A second way to sign in when you don’t have your passkey: a password and codes from an authenticator app on your phone.',
    another: 'Your current app keeps working until you enter a code from the new one.',
    again: 'Nothing was changed. Start again',
    tooLate: 'The key was shown more than ten minutes ago, or in another session.',
    setUpFirst: 'Set up password and app',
    use: 'Use the new app',
    firstEnds: 'This signs you out in all other browsers.',
    oldEnds: 'This signs you out in all other browsers. Codes from the old app then stop working, so delete its entry.',
  },
  codes: {
    title: 'Recovery codes',
    left: (count: number) =>
      plural(count, {
        one: '# left. Each replaces a code from your authenticator app once. Creating new codes invalidates the old ones.',
        other:
          '# left. Each replaces a code from your authenticator app once. Creating new codes invalidates the old ones.',
      }),
    create: 'Create new recovery codes',
    save: 'Save your recovery codes',
    about:
      'If you lose your authenticator app, sign in with one of these codes instead. Each works once. You won’t be able to see them again, so write them down or print this page.',
    earlier: 'Earlier ones no longer work.',
    saved: 'I have saved them',
  },
  sessions: {
    title: 'Where you are signed in',
    label: 'Your sessions, newest first',
    heads: { source: 'IP address', signedIn: 'Signed in', active: 'Last active', browser: 'Browser' },
    unknown: 'Unknown',
    thisBrowser: 'This browser',
    otherBrowser: 'Another browser',
  },
  language: {
    title: 'Language',
    label: 'Language of the dashboard',
    browsers: 'Language of the browser',
    save: 'Save language',
  },
};

export type YourSignInWords = typeof en;
