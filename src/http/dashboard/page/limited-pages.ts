/**
 * The pages and forms for users who are limited to merchants. All others are missing for them: what is not about a
 * merchant concerns the account as a whole. The pages read over REST, which limits what they show.
 */
import type { KnownPaths } from './navigation.tsx';

/** With a list, an export and saved views. */
const LISTS = [
  'calls',
  'charges',
  'checkouts',
  'disputes',
  'emails',
  'events',
  'payout-entries',
  'payouts',
  'refunds',
  'texts',
];

const PATHS: ReadonlySet<string> = new Set([
  '/',
  '/overview',
  '/search',
  '/palette',
  '/views/:id',
  '/views/:id/delete',
  ...LISTS.flatMap((list) => [`/${list}`, `/${list}.csv`, `/${list}/views`]),
  ...['calls', 'charges', 'checkouts', 'disputes', 'events', 'payouts', 'refunds'].map((list) => `/${list}/:id`),

  '/attention',
  '/attention/count',
  '/attention/:id/finish',
  '/attention/:id/quiet',
  '/attention/:id/reopen',

  '/now',
  '/now/calls',
  '/now/events',
  '/tail',
  '/tail/events',
  '/wall',
  '/wall/figures',
  '/wall/events',
  '/calls/:id/now',
  '/calls/:id/end',

  '/callers',
  '/callers/link',
  '/charges/:id/acknowledge',
  '/charges/:id/capture',
  '/charges/:id/refund',
  '/charges/:id/void',

  '/reports',
  '/reports.csv',

  '/your-sign-in',
  '/your-sign-in/recovery-codes',
  '/your-sign-in/remove-passkey',
  '/your-sign-in/new-password',
  '/your-sign-in/new-authenticator',
  '/your-sign-in/language',
]);

/** @param path of the route within the mode */
export const isForLimitedUsers = (path: string): boolean => PATHS.has(path);

/** @param known the paths of all pages */
export const pagesForLimitedUsers = (known: KnownPaths): KnownPaths => new Set([...known].filter(isForLimitedUsers));
