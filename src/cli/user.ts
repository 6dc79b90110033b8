/** `ringkey user`: manages the users of an account, who sign in to its dashboard. */
import { type Command, Option } from 'commander';
import {
  changeMerchants,
  changeRole,
  type InvitedUser,
  invitationUrl,
  inviteAgain,
  inviteUser,
  listUsers,
  removeUser,
  UserRefused,
} from '../accounts/users/manage.ts';
import { dashboardUrlOf } from '../app/addresses.ts';
import type { Config } from '../config/settings.ts';
import type { Database } from '../db/pool.ts';
import { findUser } from '../db/users/users.ts';
import type { AccountId, MerchantId, UserId } from '../domain/ids.ts';
import { ROLES, type Role, type User } from '../domain/user.ts';
import { requireAccount } from './account.ts';
import { accountOption, idArgument, idParser, jsonOption, nameOption } from './arguments.ts';
import { type CommandContext, CommandFailed, commandActor, printReport, type Report, requireFound } from './context.ts';
import { listReport } from './lists.ts';

interface NewUserOptions {
  account: AccountId;
  email: string;
  name?: string;
  role: Role;
  merchant?: MerchantId[];
  json?: true;
}

type Json = { json?: true };

export function addUserCommands(program: Command, context: CommandContext): void {
  const user = program.command('user').description('create, change and list dashboard users');
  user
    .command('create')
    .description('create a user, and print a one-time link to set up the sign-in')
    .addOption(accountOption())
    .requiredOption('--email <address>', 'the email address to sign in with')
    .addOption(nameOption('name that other users see'))
    .addOption(roleOption().makeOptionMandatory())
    .addOption(merchantOption('limit the user to this merchant; can be repeated'))
    .addOption(jsonOption())
    .action((options: NewUserOptions) =>
      run(context, options, (database, config) => create(database, config, options)),
    );
  user
    .command('invite')
    .description('print a new one-time link; using it replaces all sign-in methods of the user')
    .addArgument(idArgument('User'))
    .addOption(jsonOption())
    .action((id: UserId, options: Json) =>
      run(context, options, async (database, config) => {
        const order = await userOf(database, id);
        return invitedReport(config, await inviteAgain(database, commandActor(), order));
      }),
    );
  user
    .command('role')
    .description('change the role of a user, at once')
    .addArgument(idArgument('User'))
    .addOption(roleOption().makeOptionMandatory())
    .addOption(jsonOption())
    .action((id: UserId, options: Json & { role: Role }) =>
      run(context, options, async (database) => {
        const order = { ...(await userOf(database, id)), role: options.role };
        const changed = await changeRole(database, commandActor(), order);
        return { json: userResource(changed), lines: [userLine(changed)] };
      }),
    );
  user
    .command('limit')
    .description('limit a user to merchants, at once; only roles support and viewer')
    .addArgument(idArgument('User'))
    .addOption(merchantOption('ID of a merchant (mer_…); can be repeated').conflicts('all'))
    .addOption(new Option('--all', 'remove the limit'))
    .addOption(jsonOption())
    .action((id: UserId, options: Json & { merchant?: MerchantId[]; all?: true }) =>
      run(context, options, async (database) => {
        const order = { ...(await userOf(database, id)), merchants: options.all ? null : (options.merchant ?? []) };
        const changed = await changeMerchants(database, commandActor(), order);
        return { json: userResource(changed), lines: [userLine(changed)] };
      }),
    );
  user
    .command('remove')
    .description('remove a user, and sign them out at once')
    .addArgument(idArgument('User'))
    .addOption(jsonOption())
    .action((id: UserId, options: Json) =>
      run(context, options, async (database) => {
        await removeUser(database, commandActor(), await userOf(database, id));
        return { json: { user_id: id, removed: true }, lines: [`${id} was removed.`] };
      }),
    );
  user
    .command('list')
    .description('list the users of an account')
    .addOption(accountOption())
    .addOption(jsonOption())
    .action((options: Json & { account: AccountId }) => run(context, options, (database) => show(database, options)));
}

function roleOption(): Option {
  return new Option('--role <role>', 'role of the user').choices(ROLES);
}

function merchantOption(description: string): Option {
  const parse = idParser('Merchant');
  return new Option('--merchant <id>', description).argParser((text: string, ids: MerchantId[] = []) => [
    ...ids,
    parse(text),
  ]);
}

/** @throws CommandFailed if the change is refused */
async function run(
  context: CommandContext,
  { json }: Json,
  work: (database: Database, config: Config) => Promise<Report>,
): Promise<void> {
  try {
    await printReport(context, json, work);
  } catch (error) {
    throw error instanceof UserRefused ? new CommandFailed(error.message) : error;
  }
}

async function userOf(database: Database, userId: UserId) {
  const { accountId } = requireFound(await findUser(database, userId), 'user');
  return { accountId, userId };
}

async function create(database: Database, config: Config, options: NewUserOptions): Promise<Report> {
  const { account, email, name = '', role, merchant: merchants = null } = options;
  await requireAccount(database, account);
  const invited = await inviteUser(database, commandActor(), { accountId: account, email, name, role, merchants });
  return invitedReport(config, invited);
}

function invitedReport(config: Config, { user, token, expiresAt }: InvitedUser): Report {
  const url = invitationUrl(dashboardUrlOf(config) ?? '/dashboard', token);
  return {
    json: { ...userResource(user), invitation_url: url, invitation_expires_at: expiresAt.toISOString() },
    lines: [
      url,
      `  for ${user.email} (${user.id}, ${user.role}). Works once, until ${expiresAt.toISOString()}.`,
      '  Send it to this person only: anyone who opens it can sign in as this user.',
    ],
  };
}

async function show(database: Database, { account }: { account: AccountId }): Promise<Report> {
  const users = await listUsers(database, account);
  return listReport('users', users.map(userResource), users.map(userLine));
}

function userResource(user: User): object {
  return {
    user_id: user.id,
    account_id: user.accountId,
    email: user.email,
    name: user.name,
    role: user.role,
    merchants: user.merchants,
    has_password: user.hasPassword,
    passkeys: user.passkeys,
    created_at: user.createdAt.toISOString(),
    signed_in_at: user.signedInAt?.toISOString() ?? null,
    locked_until: user.lockedUntil?.toISOString() ?? null,
  };
}

function userLine({ id, role, merchants, email, name, signedInAt, lockedUntil }: User): string {
  const state = signedInAt === null ? 'never signed in' : `signed in ${signedInAt.toISOString()}`;
  const lock = lockedUntil === null ? [] : [`locked until ${lockedUntil.toISOString()}`];
  const limit = merchants === null ? [] : [`limited to ${merchants.join(', ') || 'no merchant'}`];
  return [id, role, ...limit, email, name, state, ...lock].join('  ');
}
