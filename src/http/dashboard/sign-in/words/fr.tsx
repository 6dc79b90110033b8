/** French words of signing in. */
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../../accounts/users/password.ts';
import { plural } from '../../words/formats.ts';
import type { SignInWords } from './en.tsx';

export const fr: SignInWords = {
  signIn: 'Se connecter',
  signInAgain: 'Se reconnecter',
  confirm: 'Pour votre sécurité, confirmez votre identité avant d’apporter des modifications.',
  useName: (link) => <>Utilisez plutôt {link} : les clés d’accès y fonctionnent, et les liens d’invitation y mènent.</>,
  withPasskey: 'Utiliser une clé d’accès',
  withProvider: (provider) => `Se connecter avec ${provider}`,
  noAccess:
    'Vous n’arrivez pas à vous connecter ? Demandez un nouveau lien à un propriétaire du compte ou à l’exploitant.',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  code: 'Code',
  anyCodeHint: 'Six chiffres de votre application d’authentification, ou un code de récupération.',
  wrong:
    'L’adresse e-mail, le mot de passe ou le code est incorrect. Chaque code ne sert qu’une fois : attendez le suivant. Après dix échecs, les mots de passe sont verrouillés pendant 30 minutes.',
  wrongPasskey:
    'Cette clé d’accès n’appartient à aucun utilisateur ici. Essayez-en une autre ou connectez-vous d’une autre façon.',
  chooseAccount: 'Choisissez un compte',
  accountIn: (account, role) => `${account} (${role})`,
  goToSignIn: 'Aller à la page de connexion',
  join: (account) => `Rejoindre ${account}`,
  invited: (email, role) => (
    <>
      Vous avez été invité en tant que {email} avec le rôle {role}. Choisissez comment vous connecter.
    </>
  ),
  createPasskey: 'Créer une clé d’accès',
  or: 'ou',
  noWay:
    'Les clés d’accès et les mots de passe ne sont pas disponibles à cette adresse. Demandez à l’exploitant de définir RINGKEY_PUBLIC_URL et RINGKEY_ENCRYPTION_KEYS.',
  passwordAndApp: 'Mot de passe et application d’authentification',
  setUp: 'Configurer et se connecter',
  recoveryCodes: 'Codes de récupération',
  saveCodes: 'Conservez vos codes de récupération',
  aboutCodes:
    'Si vous perdez votre application d’authentification, connectez-vous avec l’un de ces codes. Chacun ne sert qu’une fois. Vous ne pourrez plus les afficher : notez-les ou imprimez cette page.',
  codesSaved: 'Je les ai conservés. Continuer',
  newPassword: 'Nouveau mot de passe',
  newPasswordHint: `Au moins ${MIN_PASSWORD_LENGTH} caractères. Plusieurs mots au hasard conviennent bien.`,
  currentPassword: 'Mot de passe actuel',
  wrongPassword:
    'Ce n’est pas votre mot de passe actuel. Après dix échecs, aucun mot de passe n’est accepté pendant 30 minutes.',
  codeHint: 'Les six chiffres affichés par l’application.',
  wrongCode:
    'Ce code n’est pas valable en ce moment : utilisez le suivant et vérifiez que l’horloge de votre appareil est à l’heure.',
  scan: 'Scannez ce code QR avec une application d’authentification ou saisissez la clé.',
  key: 'Clé',
  qrCode: 'Code QR de la clé',
  passwordFaults: {
    too_short: `Utilisez au moins ${MIN_PASSWORD_LENGTH} caractères. Quelques mots forment un bon mot de passe.`,
    too_long: `Utilisez ${MAX_PASSWORD_LENGTH} caractères au maximum.`,
    guessable:
      'Ce mot de passe est l’un des premiers que les attaquants essaient : choisissez-en un plus difficile à deviner.',
    same: 'C’est votre mot de passe actuel : choisissez-en un autre.',
  },
  requiredRole: {
    owner: 'Seuls les propriétaires du compte peuvent le faire. Demandez à un propriétaire de modifier votre rôle.',
    developer:
      'Seuls les propriétaires et les développeurs peuvent le faire. Demandez à un propriétaire de modifier votre rôle.',
    support:
      'Seuls les propriétaires, les développeurs et l’assistance peuvent le faire. Demandez à un propriétaire de modifier votre rôle.',
    viewer: 'Seuls les utilisateurs du compte peuvent le faire. Demandez à un propriétaire de modifier votre rôle.',
  },
  refusals: {
    forged: {
      title: 'Envoyez de nouveau le formulaire',
      text: 'La page est restée ouverte trop longtemps, ou le formulaire ne vient pas de ce tableau de bord. Rien n’a été modifié. Revenez en arrière, rechargez la page et envoyez de nouveau le formulaire.',
    },
    role: 'Votre rôle ne le permet pas',
    gone: {
      title: 'Ce lien n’est plus valable',
      text: 'Il a déjà été utilisé, a été remplacé par un lien plus récent ou date de plus de 24 heures. Demandez un nouveau lien à la personne qui vous l’a envoyé.',
    },
    noPasskey: {
      title: 'Aucune clé d’accès n’a été créée',
      text: 'La clé d’accès n’a pas pu être vérifiée. Réessayez.',
    },
    noPasskeysHere: {
      title: 'Les clés d’accès ne sont pas disponibles à cette adresse',
      text: 'Les clés d’accès fonctionnent sur l’hôte de RINGKEY_PUBLIC_URL et sur localhost.',
    },
    notHere: {
      title: 'Indisponible à cette adresse',
      text: 'Demandez à l’exploitant de définir RINGKEY_PUBLIC_URL.',
    },
    insecure: {
      title: 'Utilisez HTTPS pour vous connecter',
      text: 'La connexion n’est pas chiffrée. Demandez à l’exploitant d’affecter à RINGKEY_PUBLIC_URL l’URL https du tableau de bord et à RINGKEY_TRUSTED_PROXIES le proxy placé devant.',
    },
    tooMany: (minutes) => ({
      title: 'Trop de tentatives',
      text: plural(minutes, {
        one: 'Trop de connexions depuis votre réseau ont échoué. Réessayez dans # minute.',
        other: 'Trop de connexions depuis votre réseau ont échoué. Réessayez dans # minutes.',
      }),
    }),
    busy: {
      title: 'Trop de connexions en même temps',
      text: 'De nombreux utilisateurs se connectent en ce moment. Vos informations n’ont pas été vérifiées. Réessayez dans quelques secondes.',
    },
    providerAway: {
      title: 'Votre fournisseur d’identité ne répond pas',
      text: 'Votre fournisseur d’identité ne répond pas correctement. Réessayez ou connectez-vous d’une autre façon.',
    },
    noSuchUser: (provider) => ({
      title: 'Vous n’êtes pas utilisateur de ce tableau de bord',
      text: `Aucun utilisateur n’a l’adresse e-mail vérifiée par ${provider}. Demandez à un propriétaire du compte d’inviter cette adresse.`,
    }),
    notSignedIn: (provider) => ({
      title: 'La connexion n’a pas abouti',
      text: `La connexion avec ${provider} n’a pas abouti. Réessayez ou connectez-vous d’une autre façon.`,
    }),
    notAnswered: {
      title: 'Cette connexion n’est plus valable',
      text: 'Elle a été commencée dans un autre navigateur, a déjà été utilisée ou a pris trop de temps. Recommencez.',
    },
    noUser: { title: 'Aucun utilisateur', text: 'Le compte de démonstration n’a pas de connexion.' },
    notRecent: {
      title: 'Reconnectez-vous',
      text: 'Reconnectez-vous pour créer une clé d’accès.',
    },
  },
};
