/** English words of signing in: the form, one-time links, refusals, and the fields of passwords and codes. */
import type { VNode } from 'preact';
import type { NewPasswordFault } from '../../../../accounts/users/own-password.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../../accounts/users/password.ts';
import type { Role } from '../../../../domain/user.ts';
import { plural } from '../../words/formats.ts';

const passwordFaults: Readonly<Record<NewPasswordFault, string>> = {
  too_short: `Use ${MIN_PASSWORD_LENGTH} characters or more. A few words make a good password.`,
  too_long: `Use ${MAX_PASSWORD_LENGTH} characters at most.`,
  guessable: 'Attackers try this password early: use one that is harder to guess.',
  same: 'This is the password that you have: choose another one.',
};

const requiredRole: Readonly<Record<Role, string>> = {
  owner: 'Only owners of the account can do this. Ask an owner to change your role.',
  developer: 'Only owners and developers can do this. Ask an owner to change your role.',
  support: 'Only owners, developers and support can do this. Ask an owner to change your role.',
  viewer: 'Only users of the account can do this. Ask an owner to change your role.',
};

export const en = {
  signIn: 'Sign in',
  signInAgain: 'Sign in again',
  confirm: 'For your security, confirm that it’s you before you make changes.',
  useName: (link: VNode) => <>Use {link} instead: passkeys work there, and links lead there.</>,
  withPasskey: 'Sign in with a passkey',
  withProvider: (provider: string) => `Sign in with ${provider}`,
  noAccess: 'Can’t sign in? Ask an owner of the account or the operator for a new link.',
  email: 'Email address',
  password: 'Password',
  code: 'Code',
  anyCodeHint: 'Six digits from your authenticator app, or a recovery code.',
  wrong:
    'The email address, password or code is wrong. Each code works once, so wait for the next one. After ten failures, passwords are locked for 30 minutes.',
  wrongPasskey: 'This passkey does not belong to a user here. Try another passkey, or sign in another way.',
  chooseAccount: 'Choose an account',
  accountIn: (account: string, role: string) => `${account} (${role})`,
  goToSignIn: 'Go to sign-in',
  join: (account: string) => `Join ${account}`,
  invited: (email: VNode, role: VNode) => (
    <>
      You were invited as {email} with the role {role}. Choose how to sign in.
    </>
  ),
  createPasskey: 'Create passkey',
  or: 'or',
  noWay:
    'Passkeys and passwords are not available at this address. Ask the operator to set RINGKEY_PUBLIC_URL and RINGKEY_ENCRYPTION_KEYS.',
  passwordAndApp: 'Password and authenticator app',
  setUp: 'Set up and sign in',
  recoveryCodes: 'Recovery codes',
  saveCodes: 'Save your recovery codes',
  aboutCodes:
    'If you lose your authenticator app, sign in with one of these codes instead. Each works once. You won’t be able to see them again, so write them down or print this page.',
  codesSaved: 'I have saved them. Continue',
  newPassword: 'New password',
  newPasswordHint: `At least ${MIN_PASSWORD_LENGTH} characters. Several random words work well.`,
  currentPassword: 'Current password',
  wrongPassword: 'This is not your current password. After ten failures no password is taken for 30 minutes.',
  codeHint: 'The six digits that the app shows.',
  wrongCode:
    'This is not the code of this moment: take the next one, and check that the clock of your device is right.',
  scan: 'Scan this QR code with an authenticator app, or enter the key.',
  key: 'Key',
  qrCode: 'QR code of the key',
  passwordFaults,
  requiredRole,
  refusals: {
    forged: {
      title: 'Submit the form again',
      text: 'The page was open too long, or the form did not come from this dashboard. Nothing was changed. Go back, reload the page and submit the form again.',
    },
    role: 'Your role does not allow this',
    gone: {
      title: 'This link is no longer valid',
      text: 'It was already used, was replaced by a newer link, or is older than 24 hours. Ask the sender for a new link.',
    },
    noPasskey: { title: 'No passkey was created', text: 'The passkey could not be verified. Try again.' },
    noPasskeysHere: {
      title: 'Passkeys are not available at this address',
      text: 'Passkeys work at the host of RINGKEY_PUBLIC_URL and at localhost.',
    },
    notHere: { title: 'Not available at this address', text: 'Ask the operator to set RINGKEY_PUBLIC_URL.' },
    insecure: {
      title: 'Use HTTPS to sign in',
      text: 'The connection is not encrypted. Ask the operator to set RINGKEY_PUBLIC_URL to the https URL of the dashboard and RINGKEY_TRUSTED_PROXIES to the proxy in front of it.',
    },
    tooMany: (minutes: number) => ({
      title: 'Too many attempts',
      text: plural(minutes, {
        one: 'Too many sign-ins from your network have failed. Try again in # minute.',
        other: 'Too many sign-ins from your network have failed. Try again in # minutes.',
      }),
    }),
    busy: {
      title: 'Too busy to sign you in',
      text: 'Many users are signing in right now. Your entries were not checked. Try again in a few seconds.',
    },
    providerAway: {
      title: 'Your sign-in provider is not responding',
      text: 'Your sign-in provider is not responding correctly. Try again, or sign in another way.',
    },
    noSuchUser: (provider: string) => ({
      title: 'You are not a user of this dashboard',
      text: `No user has the verified email address from ${provider}. Ask an owner of the account to invite that address.`,
    }),
    notSignedIn: (provider: string) => ({
      title: 'You were not signed in',
      text: `${provider} did not sign you in. Try again, or sign in another way.`,
    }),
    notAnswered: {
      title: 'This sign-in is no longer valid',
      text: 'It was started in another browser, already used, or took too long. Start again.',
    },
    noUser: { title: 'No user', text: 'The demo account has no sign-in.' },
    notRecent: { title: 'Sign in again', text: 'Sign in again to create a passkey.' },
  },
};

export type SignInWords = typeof en;
