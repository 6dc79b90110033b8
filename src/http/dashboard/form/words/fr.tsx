/** French words of all forms. */
import { plural } from '../../words/formats.ts';
import type { FormWords } from './en.tsx';

const KEYS = { test: 'une clé du mode test', live: 'une clé du mode réel' };

export const fr: FormWords = {
  cancel: 'Annuler',
  mustSignIn: 'Pour apporter des modifications, reconnectez-vous.',
  signInAgain: 'Se reconnecter',
  nothingChanged: 'Rien n’a été modifié',
  goToField: 'Aller au champ',
  sentBefore:
    'Ce formulaire a déjà été envoyé. Consultez le résultat dans la liste. Pour créer un autre élément, ouvrez de nouveau le formulaire.',
  settings: 'Paramètres',
  tabs: {
    merchants: 'Commerçants',
    keys: 'Clés API',
    webhooks: 'Endpoints de webhook',
    alerts: 'Alertes',
    account: 'Compte',
    users: 'Utilisateurs',
    go_live: 'Mise en service',
  },
  overlaps: { '86400': 'Dans 1 jour', '3600': 'Dans 1 heure', '604800': 'Dans 7 jours', '0': 'Immédiatement' },
  timeZone: 'Fuseau horaire',
  timeZoneHint: 'Saisissez une ville en anglais, comme New York, et choisissez son fuseau.',
  merchants: {
    search: 'Rechercher des commerçants',
    searchHint: 'Une partie du nom, ou un ID. Les commerçants sélectionnés le restent.',
    submit: 'Rechercher',
    found: (count) => plural(count, { one: '# autre commerçant trouvé', other: '# autres commerçants trouvés' }),
    foundMany: 'Plus de 100 commerçants trouvés. Voici les plus récents.',
    inTest: (name) => `Mode test : ${name}`,
  },
  shownOnce: 'Vous ne pourrez plus afficher cette valeur.',
  copied: 'J’ai copié cette valeur',
  apiCall: {
    title: 'Copier sous forme d’appel API',
    sendsEntries: 'Envoie les valeurs ci-dessus.',
    sendsVariables: 'Envoie les valeurs de ses variables.',
    key: (variable, mode, scope) => (
      <>
        Affectez à {variable} {KEYS[mode]} avec la portée « {scope} ».
      </>
    ),
    copy: 'Copier l’appel API',
    update: 'Mettre à jour l’appel API',
  },
};
