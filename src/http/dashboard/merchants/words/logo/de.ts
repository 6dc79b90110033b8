/** German words of a merchant's logo. */
import type { LogoWords } from './en.ts';

export const de: LogoWords = {
  title: 'Logo',
  none: 'Kein Logo. Zahlungsseiten zeigen den ersten Buchstaben des Unternehmensnamens.',
  withoutAddress: 'Hochgeladen. Es wird angezeigt, sobald RINGKEY_PUBLIC_URL gesetzt ist.',
  add: 'Logo hinzufügen',
  change: 'Logo ändern',
  current: 'Aktuelles Logo',
  remove: 'Logo entfernen',
  upload: 'Hochladen',
  replace: 'Ersetzen',
  file: 'Datei',
  hint: 'PNG oder SVG, bis 50 KB. Zahlungsseiten zeigen es auf Weiß, 40 Pixel hoch. Ein weißes Logo braucht einen eigenen Hintergrund.',
  send: 'Logo hochladen',
  back: 'Zurück zum Händler',
  notices: {
    set: 'Logo gespeichert. Zahlungsseiten zeigen es ab sofort',
    saved: 'Logo gespeichert. Zahlungsseiten zeigen es, sobald RINGKEY_PUBLIC_URL gesetzt ist',
    removed: 'Logo entfernt',
  },
};
