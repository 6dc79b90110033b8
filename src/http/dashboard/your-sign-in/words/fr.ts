/** French words of "Your sign-in". */
import { plural } from '../../words/formats.ts';
import type { YourSignInWords } from './en.ts';

export const fr: YourSignInWords = {
  title: 'Votre connexion',
  notices: {
    added: 'Clé d’accès créée',
    removed: 'Clé d’accès supprimée. Vous êtes déconnecté partout ailleurs',
    password: 'Mot de passe modifié. Vous êtes déconnecté partout ailleurs',
    authenticator: 'Application d’authentification modifiée. Vous êtes déconnecté partout ailleurs',
  },
  passkeys: {
    title: 'Clés d’accès',
    none: 'Aucune pour l’instant. Une clé d’accès est la façon la plus sûre de se connecter, car elle ne peut pas être volée par hameçonnage.',
    label: 'Vos clés d’accès, de la plus ancienne à la plus récente',
    heads: { name: 'Nom', created: 'Création', used: 'Dernière utilisation', actions: 'Actions' },
    never: 'Jamais',
    remove: 'Supprimer',
    removeIt: (name) => `Supprimer ${name}`,
    create: 'Créer une clé d’accès',
    name: 'Nom de la nouvelle clé d’accès',
    nameHint: 'L’appareil qui la conserve, par exemple « Portable du bureau ».',
    sure: (name) => `Supprimer ${name} ?`,
    removing:
      'Vous ne pourrez plus l’utiliser pour vous connecter, et vous serez déconnecté dans tous les autres navigateurs. Votre appareil continue d’afficher la clé d’accès tant que vous ne l’y supprimez pas.',
    last: 'C’est votre seul moyen de vous connecter. Créez d’abord une autre clé d’accès.',
  },
  password: {
    title: 'Mot de passe et application d’authentification',
    about:
      'Les deux sont nécessaires pour vous connecter. Si vous perdez l’application, connectez-vous avec un code de récupération et configurez-en une nouvelle ici.',
    none: 'Pas encore configurés. Ils permettent de vous connecter quand vous n’avez pas votre clé d’accès.',
    change: 'Modifier le mot de passe',
    changeApp: 'Changer d’application',
    setUp: 'Configurer mot de passe et application',
    changing:
      'Vous serez déconnecté dans tous les autres navigateurs. Votre application d’authentification et vos clés d’accès restent inchangées.',
  },
  app: {
    title: 'Nouvelle application d’authentification',
    showKey: 'Afficher la clé',
    first:
      'Un second moyen de vous connecter quand vous n’avez pas votre clé d’accès : un mot de passe et les codes d’une application d’authentification sur votre téléphone.',
    another: 'Votre application actuelle fonctionne jusqu’à ce que vous saisissiez un code de la nouvelle.',
    again: 'Rien n’a été modifié. Recommencez',
    tooLate: 'La clé a été affichée il y a plus de dix minutes, ou dans une autre session.',
    setUpFirst: 'Configurer mot de passe et application',
    use: 'Utiliser la nouvelle application',
    firstEnds: 'Vous serez déconnecté dans tous les autres navigateurs.',
    oldEnds:
      'Vous serez déconnecté dans tous les autres navigateurs. Les codes de l’ancienne application cesseront de fonctionner : supprimez-y l’entrée.',
  },
  codes: {
    title: 'Codes de récupération',
    left: (count) =>
      plural(count, {
        one: 'Il en reste #. Chaque code de récupération remplace une fois un code de votre application d’authentification. Créer de nouveaux codes rend les anciens inutilisables.',
        other:
          'Il en reste #. Chacun remplace une fois un code de votre application d’authentification. Créer de nouveaux codes rend les anciens inutilisables.',
      }),
    create: 'Créer de nouveaux codes',
    save: 'Conservez vos codes de récupération',
    about:
      'Si vous perdez votre application d’authentification, connectez-vous avec l’un de ces codes. Chacun ne sert qu’une fois. Vous ne pourrez plus les afficher : notez-les ou imprimez cette page.',
    earlier: 'Les anciens ne fonctionnent plus.',
    saved: 'Je les ai conservés',
  },
  sessions: {
    title: 'Où vous êtes connecté',
    label: 'Vos sessions, de la plus récente à la plus ancienne',
    heads: { source: 'Adresse IP', signedIn: 'Connexion', active: 'Dernière activité', browser: 'Navigateur' },
    unknown: 'Inconnue',
    thisBrowser: 'Ce navigateur',
    otherBrowser: 'Autre navigateur',
  },
  language: {
    title: 'Langue',
    label: 'Langue du tableau de bord',
    browsers: 'Langue du navigateur',
    save: 'Enregistrer la langue',
  },
};
