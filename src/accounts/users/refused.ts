/** Why a change of users is refused. The message is for the person who requested it. */
export type UserRefusal = keyof typeof MESSAGES;

const MESSAGES = {
  no_such_account: 'This account does not exist.',
  no_such_user: 'This user does not exist.',
  invalid_email: 'Enter a valid email address.',
  email_taken: 'A user of this account already has this email address.',
  last_owner: 'The account needs an owner. Make another user an owner first, and have them sign in once.',
  too_many: 'The account has reached the limit of 500 users.',
} as const;

export class UserRefused extends Error {
  readonly reason: UserRefusal;
  constructor(reason: UserRefusal) {
    super(MESSAGES[reason]);
    this.name = 'UserRefused';
    this.reason = reason;
  }
}
