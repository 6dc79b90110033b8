/** French words of the users' pages. */
import { plural } from '../../words/formats.ts';
import type { UserWords } from './en.tsx';

export const fr: UserWords = {
  title: 'Utilisateurs',
  lead: 'Utilisateurs qui peuvent se connecter à ce compte, dans les deux modes.',
  leadForOthers:
    'Utilisateurs qui peuvent se connecter à ce compte, dans les deux modes. Seuls les propriétaires peuvent inviter, modifier et supprimer des utilisateurs.',
  label: 'Utilisateurs, du plus ancien au plus récent',
  none: 'Aucun utilisateur : c’est le compte de démonstration, qui s’ouvre sans connexion.',
  heads: {
    name: 'Nom',
    email: 'Adresse e-mail',
    role: 'Rôle',
    status: 'Statut',
    signedIn: 'Dernière connexion',
  },
  never: 'Jamais',
  states: { locked: 'Verrouillé', invited: 'Invité', active: 'Actif' },
  invite: 'Inviter un utilisateur',
  inviteLead: 'Vous obtenez un lien à usage unique. Envoyez-le à l’utilisateur, qui choisira comment se connecter.',
  createLink: 'Créer le lien',
  nameHint: 'Visible par les autres utilisateurs.',
  roleChoices: {
    owner: 'Propriétaire : tout, y compris les utilisateurs',
    developer: 'Développeur : tout sauf les utilisateurs, y compris les clés',
    support: 'Assistance : consulte, rembourse, met fin aux appels',
    viewer: 'Lecteur : consulte, ne modifie rien',
  },
  access: {
    label: 'Accès',
    hint: 'Seuls les rôles Assistance et Lecteur peuvent être limités à des commerçants.',
    all: 'Tous les commerçants et les pages du compte',
    some: 'Seulement les commerçants sélectionnés ici',
    merchants: 'Commerçants',
    none: 'Aucun : l’utilisateur ne voit rien',
  },
  limitedRole: (role, merchants) =>
    plural(merchants, { one: `${role}, # commerçant`, other: `${role}, # commerçants` }),
  notices: {
    role: 'Rôle modifié',
    merchants: 'Commerçants modifiés',
    removed: 'Utilisateur supprimé et déconnecté partout',
  },
  facts: {
    user: 'Utilisateur',
    created: 'Création',
    methods: 'Moyens de connexion',
    lockedUntil: 'Verrouillé jusqu’au',
  },
  methods: {
    none: 'Aucun pour l’instant',
    passkeys: (count) => plural(count, { one: 'une clé d’accès', other: '# clés d’accès' }),
    password: 'mot de passe et application d’authentification',
    both: (count) =>
      plural(count, {
        one: 'une clé d’accès ; mot de passe et application d’authentification',
        other: '# clés d’accès ; mot de passe et application d’authentification',
      }),
  },
  roleAbout:
    'S’applique dès la prochaine page ouverte par l’utilisateur. Un compte a toujours besoin d’un propriétaire qui s’est déjà connecté. Les clés API ne sont pas liées aux utilisateurs : renouvelez toute clé que cet utilisateur ne doit plus avoir.',
  changeRole: (name) => `Modifier le rôle : ${name}`,
  merchantsAbout:
    'Un utilisateur limité à des commerçants ne voit et ne traite que ce qui les concerne, et rien du compte dans son ensemble. S’applique immédiatement. Les alertes propres à l’utilisateur prennent fin.',
  changeMerchants: (name) => `Modifier les commerçants : ${name}`,
  createdKeys: {
    notLimited:
      'Les clés API ne sont pas limitées à des commerçants. Renouvelez ou révoquez les clés que cet utilisateur ne doit plus avoir.',
    list: 'Clés valides que cet utilisateur a créées au cours de l’année écoulée :',
  },
  link: {
    title: 'Nouveau lien',
    about: (name) => (
      <>
        Pour un utilisateur qui a perdu le lien ou ne peut pas se connecter. Une fois utilisé, le nouveau lien remplace
        tous les moyens de connexion ({name}).
      </>
    ),
    create: (name) => `Créer un nouveau lien pour ${name}`,
    titleOf: (name) => `Lien pour ${name}`,
    copyNow: 'Copiez le lien maintenant',
    copy: 'Copier le lien',
    what: 'Envoyez-le uniquement à cet utilisateur. La première personne qui l’ouvre se connecte en tant que cet utilisateur. Le lien ne sert qu’une fois.',
    expires: (time) => <>Expire le {time}.</>,
  },
  remove: {
    title: 'Supprimer',
    about: 'L’utilisateur est immédiatement déconnecté partout. Le journal des modifications conserve le nom.',
    submit: (name) => `Supprimer ${name}`,
    sure: (name) => `Supprimer ${name} ?`,
    oneself:
      'C’est vous. Vous serez déconnecté et perdrez l’accès. Pour le rétablir, un propriétaire doit inviter de nouveau la même adresse e-mail.',
    other: (name) =>
      `${name} perdra l’accès, et ses sessions seront fermées. Pour rétablir l’accès, un propriétaire doit inviter de nouveau la même adresse e-mail.`,
    ownKeys: (link) => (
      <>
        Les clés API continuent de fonctionner, y compris celles que vous avez créées ou vues. {link('Renouvelez-les')}{' '}
        si nécessaire.
      </>
    ),
    keys: (link) => (
      <>
        Les clés API continuent de fonctionner, y compris celles que cet utilisateur a créées ou vues.{' '}
        {link('Renouvelez-les')} si nécessaire.
      </>
    ),
  },
  refusals: {
    no_such_account: 'Ce compte n’existe pas.',
    no_such_user: 'Cet utilisateur n’existe pas.',
    invalid_email: 'Saisissez une adresse e-mail valide.',
    email_taken: 'Un utilisateur de ce compte a déjà cette adresse e-mail.',
    last_owner:
      'Le compte a besoin d’un propriétaire. Donnez d’abord ce rôle à un autre utilisateur, qui doit ensuite se connecter une fois.',
    role_without_limit:
      'Seuls les utilisateurs ayant le rôle Assistance ou Lecteur peuvent être limités à des commerçants. Retirez la limite ou choisissez l’un de ces rôles.',
    no_merchants: 'Choisissez au moins un commerçant, ou tous.',
    no_such_merchant: 'Ce commerçant n’existe pas dans ce compte.',
    too_many: 'Le compte a atteint la limite de 500 utilisateurs.',
  },
};
