/** German words of signing in. */
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../../accounts/users/password.ts';
import { plural } from '../../words/formats.ts';
import type { SignInWords } from './en.tsx';

export const de: SignInWords = {
  signIn: 'Anmelden',
  signInAgain: 'Noch einmal anmelden',
  confirm: 'Bestätigen Sie zu Ihrer Sicherheit, dass Sie es sind, bevor Sie etwas ändern.',
  useName: (link) => (
    <>Verwenden Sie stattdessen {link}: Dort funktionieren Passkeys, und dorthin führen auch Einladungslinks.</>
  ),
  withPasskey: 'Mit Passkey anmelden',
  withProvider: (provider) => `Mit ${provider} anmelden`,
  noAccess:
    'Können Sie sich nicht anmelden? Bitten Sie einen Inhaber des Kontos oder den Betreiber um einen neuen Link.',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  code: 'Code',
  anyCodeHint: 'Sechs Ziffern aus Ihrer Authenticator-App oder ein Wiederherstellungscode.',
  wrong:
    'E-Mail-Adresse, Passwort oder Code ist falsch. Jeder Code gilt nur einmal, warten Sie deshalb auf den nächsten. Nach zehn Fehlversuchen ist die Anmeldung mit Passwort 30 Minuten lang gesperrt.',
  wrongPasskey:
    'Zu diesem Passkey gibt es hier keinen Benutzer. Versuchen Sie es mit einem anderen, oder melden Sie sich auf andere Weise an.',
  chooseAccount: 'Konto wählen',
  accountIn: (account, role) => `${account} (${role})`,
  goToSignIn: 'Zur Anmeldung',
  join: (account) => `${account} beitreten`,
  invited: (email, role) => (
    <>
      Sie wurden als {email} mit der Rolle {role} eingeladen. Wählen Sie, wie Sie sich anmelden möchten.
    </>
  ),
  createPasskey: 'Passkey erstellen',
  or: 'oder',
  noWay:
    'Passkeys und Passwörter stehen unter dieser Adresse nicht zur Verfügung. Bitten Sie den Betreiber, RINGKEY_PUBLIC_URL und RINGKEY_ENCRYPTION_KEYS zu setzen.',
  passwordAndApp: 'Passwort und Authenticator-App',
  setUp: 'Einrichten und anmelden',
  recoveryCodes: 'Wiederherstellungscodes',
  saveCodes: 'Speichern Sie Ihre Wiederherstellungscodes',
  aboutCodes:
    'Wenn Sie Ihre Authenticator-App verlieren, melden Sie sich mit einem dieser Codes an. Jeder gilt nur einmal. Sie können die Codes später nicht mehr ansehen: Schreiben Sie sie auf, oder drucken Sie diese Seite.',
  codesSaved: 'Ich habe sie gespeichert. Weiter',
  newPassword: 'Neues Passwort',
  newPasswordHint: `Mindestens ${MIN_PASSWORD_LENGTH} Zeichen. Gut geeignet sind mehrere zufällige Wörter.`,
  currentPassword: 'Aktuelles Passwort',
  wrongPassword:
    'Das ist nicht Ihr aktuelles Passwort. Nach zehn Fehlversuchen wird 30 Minuten lang kein Passwort angenommen.',
  codeHint: 'Die sechs Ziffern, die die App anzeigt.',
  wrongCode:
    'Dieser Code gilt jetzt nicht: Nehmen Sie den nächsten, und prüfen Sie, ob die Uhr Ihres Geräts richtig geht.',
  scan: 'Scannen Sie diesen QR-Code mit einer Authenticator-App, oder geben Sie den Schlüssel ein.',
  key: 'Schlüssel',
  qrCode: 'QR-Code des Schlüssels',
  passwordFaults: {
    too_short: `Verwenden Sie mindestens ${MIN_PASSWORD_LENGTH} Zeichen. Ein paar Wörter ergeben ein gutes Passwort.`,
    too_long: `Verwenden Sie höchstens ${MAX_PASSWORD_LENGTH} Zeichen.`,
    guessable: 'Angreifer probieren dieses Passwort früh aus: Wählen Sie eines, das schwerer zu erraten ist.',
    same: 'Das ist Ihr bisheriges Passwort: Wählen Sie ein anderes.',
  },
  requiredRole: {
    owner: 'Das können nur Inhaber des Kontos. Bitten Sie einen Inhaber, Ihre Rolle zu ändern.',
    developer: 'Das können nur Inhaber und Entwickler. Bitten Sie einen Inhaber, Ihre Rolle zu ändern.',
    support: 'Das können nur Inhaber, Entwickler und Kundendienst. Bitten Sie einen Inhaber, Ihre Rolle zu ändern.',
    viewer: 'Das können nur Benutzer des Kontos. Bitten Sie einen Inhaber, Ihre Rolle zu ändern.',
  },
  refusals: {
    forged: {
      title: 'Senden Sie das Formular noch einmal',
      text: 'Die Seite war zu lange geöffnet, oder das Formular kam nicht von diesem Dashboard. Es wurde nichts geändert. Gehen Sie zurück, laden Sie die Seite neu, und senden Sie das Formular noch einmal.',
    },
    role: 'Ihre Rolle erlaubt das nicht',
    gone: {
      title: 'Dieser Link ist nicht mehr gültig',
      text: 'Er wurde schon verwendet, durch einen neueren ersetzt oder ist älter als 24 Stunden. Bitten Sie den Absender um einen neuen Link.',
    },
    noPasskey: {
      title: 'Es wurde kein Passkey erstellt',
      text: 'Der Passkey konnte nicht geprüft werden. Versuchen Sie es noch einmal.',
    },
    noPasskeysHere: {
      title: 'Passkeys stehen unter dieser Adresse nicht zur Verfügung',
      text: 'Passkeys funktionieren unter dem Host von RINGKEY_PUBLIC_URL und unter localhost.',
    },
    notHere: {
      title: 'Unter dieser Adresse nicht verfügbar',
      text: 'Bitten Sie den Betreiber, RINGKEY_PUBLIC_URL zu setzen.',
    },
    insecure: {
      title: 'Verwenden Sie HTTPS, um sich anzumelden',
      text: 'Die Verbindung ist nicht verschlüsselt. Bitten Sie den Betreiber, RINGKEY_PUBLIC_URL auf die https-URL des Dashboards zu setzen und RINGKEY_TRUSTED_PROXIES auf den Proxy davor.',
    },
    tooMany: (minutes) => ({
      title: 'Zu viele Versuche',
      text: plural(minutes, {
        one: 'Zu viele Anmeldungen aus Ihrem Netz sind fehlgeschlagen. Versuchen Sie es in # Minute noch einmal.',
        other: 'Zu viele Anmeldungen aus Ihrem Netz sind fehlgeschlagen. Versuchen Sie es in # Minuten noch einmal.',
      }),
    }),
    busy: {
      title: 'Gerade melden sich zu viele Benutzer an',
      text: 'Viele Benutzer melden sich gerade an. Ihre Eingaben wurden nicht geprüft. Versuchen Sie es in einigen Sekunden noch einmal.',
    },
    providerAway: {
      title: 'Ihr Anmeldedienst antwortet nicht',
      text: 'Ihr Anmeldedienst antwortet nicht richtig. Versuchen Sie es noch einmal, oder melden Sie sich auf andere Weise an.',
    },
    noSuchUser: (provider) => ({
      title: 'Sie sind kein Benutzer dieses Dashboards',
      text: `Zu der von ${provider} bestätigten E-Mail-Adresse gibt es keinen Benutzer. Bitten Sie einen Inhaber des Kontos, diese Adresse einzuladen.`,
    }),
    notSignedIn: (provider) => ({
      title: 'Sie wurden nicht angemeldet',
      text: `${provider} hat Sie nicht angemeldet. Versuchen Sie es noch einmal, oder melden Sie sich auf andere Weise an.`,
    }),
    notAnswered: {
      title: 'Diese Anmeldung gilt nicht mehr',
      text: 'Sie wurde in einem anderen Browser begonnen, schon verwendet oder hat zu lange gedauert. Beginnen Sie von vorn.',
    },
    noUser: { title: 'Kein Benutzer', text: 'Das Demokonto hat keine Anmeldung.' },
    notRecent: {
      title: 'Melden Sie sich noch einmal an',
      text: 'Melden Sie sich noch einmal an, um einen Passkey zu erstellen.',
    },
  },
};
