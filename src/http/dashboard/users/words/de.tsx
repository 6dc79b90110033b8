/** German words of the users' pages. */
import { plural } from '../../words/formats.ts';
import type { UserWords } from './en.tsx';

export const de: UserWords = {
  title: 'Benutzer',
  lead: 'Benutzer, die sich bei diesem Konto anmelden können, in beiden Modi.',
  leadForOthers:
    'Benutzer, die sich bei diesem Konto anmelden können, in beiden Modi. Nur Inhaber können Benutzer einladen, ändern und entfernen.',
  label: 'Benutzer, älteste zuerst',
  none: 'Keine Benutzer: Dies ist das Demokonto, das sich ohne Anmeldung öffnet.',
  heads: {
    name: 'Name',
    email: 'E-Mail-Adresse',
    role: 'Rolle',
    status: 'Status',
    signedIn: 'Letzte Anmeldung',
  },
  never: 'Noch nie',
  states: { locked: 'Gesperrt', invited: 'Eingeladen', active: 'Aktiv' },
  invite: 'Benutzer einladen',
  inviteLead:
    'Sie erhalten einen Link, der nur einmal gilt. Senden Sie ihn dem Benutzer, der dann wählt, wie er sich anmeldet.',
  createLink: 'Link erstellen',
  nameHint: 'Wird anderen Benutzern angezeigt.',
  roleChoices: {
    owner: 'Inhaber: alles, auch Benutzer',
    developer: 'Entwickler: alles außer Benutzern, auch Schlüssel',
    support: 'Kundendienst: liest, erstattet, beendet Anrufe',
    viewer: 'Betrachter: liest, ändert nichts',
  },
  access: {
    label: 'Zugriff',
    hint: 'Nur die Rollen Kundendienst und Betrachter können auf Händler beschränkt werden.',
    all: 'Alle Händler und die Seiten zum Konto',
    some: 'Nur die hier ausgewählten Händler',
    merchants: 'Händler',
    none: 'Keine: Der Benutzer sieht nichts',
  },
  limitedRole: (role, merchants) => plural(merchants, { one: `${role}, # Händler`, other: `${role}, # Händler` }),
  notices: {
    role: 'Rolle geändert',
    merchants: 'Händler geändert',
    removed: 'Benutzer entfernt und überall abgemeldet',
  },
  facts: {
    user: 'Benutzer',
    created: 'Angelegt',
    methods: 'Anmeldeverfahren',
    lockedUntil: 'Gesperrt bis',
  },
  methods: {
    none: 'Noch keine',
    passkeys: (count) => plural(count, { one: 'ein Passkey', other: '# Passkeys' }),
    password: 'Passwort und Authenticator-App',
    both: (count) =>
      plural(count, {
        one: 'ein Passkey; Passwort und Authenticator-App',
        other: '# Passkeys; Passwort und Authenticator-App',
      }),
  },
  roleAbout:
    'Gilt ab der nächsten Seite, die der Benutzer öffnet. Ein Konto braucht immer einen Inhaber, der sich schon angemeldet hat. API-Schlüssel sind nicht an Benutzer gebunden: Erneuern Sie jeden Schlüssel, den dieser Benutzer nicht mehr haben soll.',
  changeRole: (name) => `Rolle von ${name} ändern`,
  merchantsAbout:
    'Ein auf Händler beschränkter Benutzer sieht und bearbeitet nur, was zu diesen Händlern gehört, und nichts über das Konto als Ganzes. Gilt sofort. Die eigenen Benachrichtigungen des Benutzers enden.',
  changeMerchants: (name) => `Händler von ${name} ändern`,
  createdKeys: {
    notLimited:
      'API-Schlüssel sind nicht auf Händler beschränkt. Erneuern oder widerrufen Sie die Schlüssel, die dieser Benutzer nicht mehr haben soll.',
    list: 'Gültige Schlüssel, die dieser Benutzer im letzten Jahr angelegt hat:',
  },
  link: {
    title: 'Neuer Link',
    about: (name) => (
      <>
        Für Benutzer, die den Link verloren haben oder sich nicht anmelden können. Wird er verwendet, ersetzt er alle
        bisherigen Anmeldeverfahren von {name}.
      </>
    ),
    create: (name) => `Neuen Link für ${name} erstellen`,
    titleOf: (name) => `Link für ${name}`,
    copyNow: 'Kopieren Sie den Link jetzt',
    copy: 'Link kopieren',
    what: 'Senden Sie ihn nur diesem Benutzer. Wer ihn als Erster öffnet, meldet sich als dieser Benutzer an. Er gilt nur einmal.',
    expires: (time) => <>Läuft am {time} ab.</>,
  },
  remove: {
    title: 'Entfernen',
    about: 'Der Benutzer wird sofort überall abgemeldet. Das Änderungsprotokoll behält den Namen.',
    submit: (name) => `${name} entfernen`,
    sure: (name) => `${name} entfernen?`,
    oneself:
      'Das sind Sie selbst. Sie werden abgemeldet und verlieren den Zugriff. Um ihn wiederherzustellen, lädt ein Inhaber dieselbe E-Mail-Adresse noch einmal ein.',
    other: (name) =>
      `${name} wird abgemeldet und verliert den Zugriff. Um ihn wiederherzustellen, lädt ein Inhaber dieselbe E-Mail-Adresse noch einmal ein.`,
    ownKeys: (link) => (
      <>
        API-Schlüssel gelten weiter, auch die, die Sie angelegt oder gesehen haben. {link('Erneuern Sie sie')}, falls
        nötig.
      </>
    ),
    keys: (link) => (
      <>
        API-Schlüssel gelten weiter, auch die, die dieser Benutzer angelegt oder gesehen hat. {link('Erneuern Sie sie')}
        , falls nötig.
      </>
    ),
  },
  refusals: {
    no_such_account: 'Dieses Konto gibt es nicht.',
    no_such_user: 'Diesen Benutzer gibt es nicht.',
    invalid_email: 'Geben Sie eine gültige E-Mail-Adresse ein.',
    email_taken: 'Ein Benutzer dieses Kontos hat diese E-Mail-Adresse schon.',
    last_owner:
      'Das Konto braucht einen Inhaber. Machen Sie zuerst einen anderen Benutzer zum Inhaber. Er muss sich dann einmal anmelden.',
    role_without_limit:
      'Nur Benutzer mit der Rolle Kundendienst oder Betrachter können auf Händler beschränkt werden. Heben Sie die Beschränkung auf, oder wählen Sie eine dieser Rollen.',
    no_merchants: 'Wählen Sie mindestens einen Händler oder alle Händler.',
    no_such_merchant: 'Diesen Händler gibt es in diesem Konto nicht.',
    too_many: 'Das Konto hat die Grenze von 500 Benutzern erreicht.',
  },
};
