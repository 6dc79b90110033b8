/** Why a change of users is refused. The message is for the person who asked. */
export type UserRefusal = keyof typeof MESSAGES;

const MESSAGES = {
  no_such_account: 'There is no such account.',
  no_such_user: 'There is no such user.',
  invalid_email: 'This is no e-mail address.',
  email_taken: 'The account has a user with this e-mail address already.',
  last_owner: 'The account needs an owner: make somebody else one first, and have them sign in once.',
  too_many: 'The account has 500 users, and no more.',
} as const;

export class UserRefused extends Error {
  readonly reason: UserRefusal;
  constructor(reason: UserRefusal) {
    super(MESSAGES[reason]);
    this.name = 'UserRefused';
    this.reason = reason;
  }
}
