/** English words of the users' pages. */
import type { VNode } from 'preact';
import type { UserRefusal } from '../../../../accounts/users/manage.ts';
import type { Role } from '../../../../domain/user.ts';
import { plural } from '../../words/formats.ts';

/** For the choice, with what each may do. */
const roleChoices: Readonly<Record<Role, string>> = {
  owner: 'Owner: everything, including users',
  developer: 'Developer: everything except users, including keys',
  support: 'Support: views, creates refunds, ends calls',
  viewer: 'Viewer: views, changes nothing',
};

const refusals: Readonly<Record<UserRefusal, string>> = {
  no_such_account: 'This account does not exist.',
  no_such_user: 'This user does not exist.',
  invalid_email: 'Enter a valid email address.',
  email_taken: 'A user of this account already has this email address.',
  last_owner: 'The account needs an owner. Make another user an owner first, and have them sign in once.',
  role_without_limit:
    'Only users with the role Support or Viewer can be limited to merchants. Remove the limit, or choose one of these roles.',
  no_merchants: 'Choose at least one merchant, or all merchants.',
  no_such_merchant: 'This account has no such merchant.',
  too_many: 'The account has reached the limit of 500 users.',
};

export const en = {
  title: 'Users',
  lead: 'Users who can sign in to this account, in both modes.',
  leadForOthers:
    'Users who can sign in to this account, in both modes. Only owners can invite, change and remove users.',
  label: 'Users, oldest first',
  none: 'No users: this is the demo account, which opens without signing in.',
  heads: {
    name: 'Name',
    email: 'Email address',
    role: 'Role',
    status: 'Status',
    signedIn: 'Last sign-in',
  },
  never: 'Never',
  states: { locked: 'Locked', invited: 'Invited', active: 'Active' },
  invite: 'Invite user',
  inviteLead: 'You get a one-time link to send to the user, who then chooses how to sign in.',
  createLink: 'Create link',
  nameHint: 'Shown to other users.',
  roleChoices,
  access: {
    label: 'Access',
    hint: 'Only the roles Support and Viewer can be limited to merchants.',
    all: 'All merchants, and pages about the account',
    some: 'Only the merchants selected here',
    merchants: 'Merchants',
    none: 'None: the user sees nothing',
  },
  limitedRole: (role: string, merchants: number) =>
    plural(merchants, { one: `${role}, # merchant`, other: `${role}, # merchants` }),
  notices: {
    role: 'Role changed',
    merchants: 'Merchants changed',
    removed: 'User removed and signed out everywhere',
  },
  facts: {
    user: 'User',
    created: 'Created',
    methods: 'Sign-in methods',
    lockedUntil: 'Locked until',
  },
  methods: {
    none: 'None yet',
    passkeys: (count: number) => plural(count, { one: 'a passkey', other: '# passkeys' }),
    password: 'password and authenticator app',
    both: (count: number) =>
      plural(count, {
        one: 'a passkey, password and authenticator app',
        other: '# passkeys, password and authenticator app',
      }),
  },
  roleAbout:
    'Applies from the next page the user opens. An account always needs an owner who has signed in. API keys are not tied to users: roll any key that this user should no longer have.',
  changeRole: (name: string) => `Change role of ${name}`,
  merchantsAbout:
    'A user who is limited to merchants sees and does only what belongs to these, and nothing about the account as a whole. Applies at once. The user’s own alerts end.',
  changeMerchants: (name: string) => `Change merchants of ${name}`,
  createdKeys: {
    notLimited: 'API keys are not limited to merchants. Roll or revoke the keys that this user should no longer have.',
    list: 'Valid keys that this user created in the past year:',
  },
  link: {
    title: 'New link',
    about: (name: VNode) => (
      <>For a user who lost the link or can’t sign in. When used, it replaces all sign-in methods of {name}.</>
    ),
    create: (name: string) => `Create new link for ${name}`,
    titleOf: (name: string) => `Link for ${name}`,
    copyNow: 'Copy the link now',
    copy: 'Copy the link',
    what: 'Send it to this user only. The first person to open it signs in as this user. It works once.',
    expires: (time: VNode) => <>Expires {time}.</>,
  },
  remove: {
    title: 'Remove',
    about: 'The user is signed out everywhere immediately. The audit trail keeps the name.',
    submit: (name: string) => `Remove ${name}`,
    sure: (name: string) => `Remove ${name}?`,
    oneself:
      'This is you. You are signed out and lose access. To restore access, an owner invites the same email address again.',
    other: (name: string) =>
      `${name} is signed out and loses access. To restore access, an owner invites the same email address again.`,
    ownKeys: (link: (text: string) => VNode) => (
      <>API keys keep working, including keys that you have created or seen. {link('Roll them')} if needed.</>
    ),
    keys: (link: (text: string) => VNode) => (
      <>API keys keep working, including keys that this user has created or seen. {link('Roll them')} if needed.</>
    ),
  },
  refusals,
};

export type UserWords = typeof en;
