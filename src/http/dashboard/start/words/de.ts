/** German words of "Getting started". */
import type { StartWords } from './en.ts';

export const de: StartWords = {
  title: 'Erste Schritte',
  allDone: 'Alles erledigt. Dieses Konto kann Zahlungen per Telefon annehmen.',
  lead: 'Vom neuen Konto bis zur ersten Zahlung am Telefon. Jeder Schritt wird abgehakt, sobald Sie ihn hier oder mit der API erledigt haben.',
  progress: (done, all) => `${done} von ${all} erledigt`,
  progressLabel: (done, all) => `${done} von ${all} Schritten erledigt`,
  done: 'erledigt',
  notDone: 'noch nicht erledigt',
  copyCommand: (title) => `Befehl kopieren: ${title}`,
  merchant: {
    title: 'Händler anlegen',
    about: 'Ein Händler ist das Unternehmen, das das Geld bekommt. Jeder Bezahlvorgang nennt einen.',
    page: 'Händler anlegen',
    docs: 'Livegang',
  },
  processor: {
    title: 'Seinen Zahlungsanbieter verbinden',
    about: {
      test: 'Die Sandbox nimmt Testkarten an. Sie können auch ein Testkonto eines Zahlungsanbieters verbinden.',
      live: 'Zahlungen gehen auf das eigene Konto des Händlers bei seinem Zahlungsanbieter.',
    },
    merchants: 'Händler',
    merchant: 'Zum Händler',
    docs: 'Zahlungsanbieter und Zugangsdaten',
  },
  key: {
    title: 'Schlüssel anlegen',
    about:
      'Damit weist sich das Backend Ihres Agenten aus. Ein Schlüssel mit dem Umfang „agent“ kann Zahlungen annehmen, aber keine Erstattungen oder Schlüssel anlegen.',
    page: 'API-Schlüssel',
    docs: 'Über Schlüssel',
  },
  checkout: {
    title: 'Bezahlvorgang anlegen',
    about:
      'Das macht das Tool Ihres Agenten, sobald die Bestellung bezahlt werden kann. Die Antwort enthält den Satz, den der Agent sagt, und die Adresse, an die er den Anruf weiterleitet.',
    docs: 'Schnellstart',
  },
  call: {
    title: 'Eine Zahlung im Anruf annehmen',
    about: {
      test: 'Starten Sie einen Testanruf im Browser, oder wählen Sie selbst transfer_to, und tippen Sie 4242 4242 4242 4242 ein.',
      live: 'Ihr Agent leitet einen Anrufer weiter, der während des Anrufs bezahlt.',
    },
    page: { test: 'Ausprobieren', live: 'Anrufe' },
    docs: 'Ihre Sprachplattform verbinden',
  },
  webhook: {
    title: 'Einen Webhook empfangen',
    about: 'Registrieren Sie einen Endpunkt. „checkout.completed“ ist das Endergebnis jedes Bezahlvorgangs.',
    aboutEndpoint:
      'Ihr Endpunkt hat noch kein Ereignis mit 2xx beantwortet. Seine Seite listet die fehlgeschlagenen Zustellungen auf.',
    page: 'Webhook-Endpunkte',
    docs: 'Ereignisse und Webhooks',
  },
};
