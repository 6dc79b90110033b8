/** German words of "Your sign-in". */
import { plural } from '../../words/formats.ts';
import type { YourSignInWords } from './en.ts';

export const de: YourSignInWords = {
  title: 'Ihre Anmeldung',
  notices: {
    added: 'Passkey erstellt',
    removed: 'Passkey entfernt. Sie sind überall sonst abgemeldet',
    password: 'Passwort geändert. Sie sind überall sonst abgemeldet',
    authenticator: 'Authenticator-App geändert. Sie sind überall sonst abgemeldet',
  },
  passkeys: {
    title: 'Passkeys',
    none: 'Noch keine. Ein Passkey ist die sicherste Art, sich anzumelden, denn er kann nicht durch Phishing gestohlen werden.',
    label: 'Ihre Passkeys, älteste zuerst',
    heads: { name: 'Name', created: 'Erstellt', used: 'Zuletzt verwendet', actions: 'Aktionen' },
    never: 'Noch nie',
    remove: 'Entfernen',
    removeIt: (name) => `${name} entfernen`,
    create: 'Passkey erstellen',
    name: 'Name des neuen Passkeys',
    nameHint: 'Das Gerät, das ihn speichert, zum Beispiel „Laptop im Büro“.',
    sure: (name) => `${name} entfernen?`,
    removing:
      'Sie können sich damit nicht mehr anmelden und werden in allen anderen Browsern abgemeldet. Ihr Gerät zeigt den Passkey weiter an, bis Sie ihn dort löschen.',
    last: 'Sie haben keine andere Möglichkeit, sich anzumelden. Erstellen Sie zuerst einen weiteren Passkey.',
  },
  password: {
    title: 'Passwort und Authenticator-App',
    about:
      'Sie brauchen beides, um sich anzumelden. Wenn Sie die App verlieren, melden Sie sich mit einem Wiederherstellungscode an und richten hier eine neue ein.',
    none: 'Noch nicht eingerichtet. Damit können Sie sich auch anmelden, wenn Sie Ihren Passkey nicht zur Hand haben.',
    change: 'Passwort ändern',
    changeApp: 'Authenticator-App wechseln',
    setUp: 'Passwort und Authenticator-App einrichten',
    changing:
      'Sie werden in allen anderen Browsern abgemeldet. Ihre Authenticator-App und Ihre Passkeys bleiben unverändert.',
  },
  app: {
    title: 'Neue Authenticator-App',
    showKey: 'Schlüssel anzeigen',
    first:
      'Eine zweite Möglichkeit, sich anzumelden, wenn Sie Ihren Passkey nicht zur Hand haben: ein Passwort und Codes aus einer Authenticator-App auf Ihrem Telefon.',
    another: 'Ihre bisherige App funktioniert weiter, bis Sie einen Code aus der neuen eingeben.',
    again: 'Es wurde nichts geändert. Beginnen Sie von vorn',
    tooLate: 'Der Schlüssel wurde vor mehr als zehn Minuten oder in einer anderen Sitzung angezeigt.',
    setUpFirst: 'Passwort und App einrichten',
    use: 'Neue App verwenden',
    firstEnds: 'Sie werden in allen anderen Browsern abgemeldet.',
    oldEnds:
      'Sie werden in allen anderen Browsern abgemeldet. Codes aus der alten App gelten dann nicht mehr: Löschen Sie dort den Eintrag.',
  },
  codes: {
    title: 'Wiederherstellungscodes',
    left: (count) =>
      plural(count, {
        one: 'Noch # übrig. Er ersetzt einmal einen Code aus Ihrer Authenticator-App. Neue Codes machen ihn ungültig.',
        other:
          'Noch # übrig. Jeder ersetzt einmal einen Code aus Ihrer Authenticator-App. Neue Codes machen die alten ungültig.',
      }),
    create: 'Neue Codes erstellen',
    save: 'Speichern Sie Ihre Wiederherstellungscodes',
    about:
      'Wenn Sie Ihre Authenticator-App verlieren, melden Sie sich mit einem dieser Codes an. Jeder gilt nur einmal. Sie können die Codes später nicht mehr ansehen: Schreiben Sie sie auf, oder drucken Sie diese Seite.',
    earlier: 'Frühere Codes gelten nicht mehr.',
    saved: 'Ich habe sie gespeichert',
  },
  sessions: {
    title: 'Wo Sie angemeldet sind',
    label: 'Ihre Sitzungen, neueste zuerst',
    heads: { source: 'IP-Adresse', signedIn: 'Angemeldet', active: 'Zuletzt aktiv', browser: 'Browser' },
    unknown: 'Unbekannt',
    thisBrowser: 'Dieser Browser',
    otherBrowser: 'Ein anderer Browser',
  },
  language: {
    title: 'Sprache',
    label: 'Sprache des Dashboards',
    browsers: 'Sprache des Browsers',
    save: 'Sprache speichern',
  },
};
