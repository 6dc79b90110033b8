/** German words of manual settlement. */
import type { SettleWords } from './en.tsx';

const textTo = (phone: string | null, what: string) =>
  phone === null ? '' : ` ${what} geht als SMS an ${phone}, falls dorthin SMS gesendet werden können.`;

const lostRefund = {
  title: (amount: string, card: string) => `${amount} wurden nicht auf ${card} erstattet`,
  submit: (amount: string) => `Klären: ${amount} nicht erstattet`,
  consequence: () =>
    'Die Erstattung schlägt fehl, Ihre Webhook-Endpunkte erhalten refund.failed, und die Abbuchung kann noch einmal erstattet werden. Falls das Geld doch erstattet wurde, wird es vielleicht zweimal erstattet.',
};

export const de: SettleWords = {
  title: 'Manuell klären',
  needsSettling: {
    charge: {
      title: 'Diese Abbuchung muss manuell geklärt werden',
      text: 'Der Zahlungsanbieter hat das Ergebnis nie gemeldet, und Ringkey fragt nicht mehr nach. Ein Inhaber oder Entwickler muss es im Dashboard des Zahlungsanbieters nachsehen und die Abbuchung hier klären.',
    },
    refund: {
      title: 'Diese Erstattung muss manuell geklärt werden',
      text: 'Der Zahlungsanbieter hat das Ergebnis nie gemeldet, und Ringkey fragt nicht mehr nach. Ein Inhaber oder Entwickler muss es im Dashboard des Zahlungsanbieters nachsehen und die Erstattung hier klären.',
    },
  },
  cardOnly: 'Karte',
  savesOnly: 'ohne Betrag, um eine Karte zu speichern',
  leads: {
    charge: (amount, card, merchant) => (
      <>
        Abbuchung: {amount}, {card}, {merchant}
      </>
    ),
    refund: (amount, card, merchant) => (
      <>
        Erstattung: {amount}, {card}, {merchant}
      </>
    ),
  },
  checkFirst: (processor) => `Sehen Sie zuerst im Dashboard von ${processor} nach`,
  checkText: {
    charge:
      'Der Zahlungsanbieter hat das Ergebnis dieser Abbuchung nie gemeldet, und Ringkey fragt nicht mehr nach. Geben Sie nur ein, was der Zahlungsanbieter anzeigt. Sie können es später nicht ändern.',
    refund:
      'Der Zahlungsanbieter hat das Ergebnis dieser Erstattung nie gemeldet, und Ringkey fragt nicht mehr nach. Geben Sie nur ein, was der Zahlungsanbieter anzeigt. Sie können es später nicht ändern.',
  },
  next: 'Weiter',
  outcome: 'Ergebnis beim Zahlungsanbieter',
  processorId: { charge: 'Zahlungs-ID des Zahlungsanbieters', refund: 'Erstattungs-ID des Zahlungsanbieters' },
  idHint: 'Nur nötig, wenn die Zahlung oder Erstattung ausgeführt wurde.',
  noId: 'Geben Sie die ID des Zahlungsanbieters ein. Jede ausgeführte Zahlung oder Erstattung hat eine.',
  cardNumber: 'Das sieht aus wie eine Kartennummer. Ringkey speichert nie Kartennummern.',
  badId: 'Geben Sie die ID genau so ein, wie der Zahlungsanbieter sie anzeigt, ohne Leerzeichen.',
  endings: {
    charge: {
      succeeded: {
        option: 'Die Zahlung war erfolgreich',
        title: (amount, card) => `${amount} wurden von ${card} abgebucht`,
        submit: (amount) => `Klären: ${amount} abgebucht`,
        consequence: (phone) =>
          `Der Bezahlvorgang ist bezahlt, und Ihre Webhook-Endpunkte erhalten checkout.succeeded und checkout.completed.${textTo(phone, 'Der Beleg')}`,
      },
      not_received: {
        option: 'Die Zahlung kam nie beim Zahlungsanbieter an',
        title: (amount, card) => `${amount} wurden nie von ${card} abgebucht`,
        submit: (amount) => `Klären: ${amount} nicht abgebucht`,
        consequence: (phone) =>
          `Die Abbuchung schlägt fehl, und Ihre Webhook-Endpunkte erhalten checkout.failed. Falls doch von der Karte abgebucht wurde, bezahlt der Anrufer vielleicht zweimal.${textTo(phone, 'Ein Hinweis, dass nichts abgebucht wurde,')}`,
      },
    },
    saving: {
      not_received: {
        option: 'Die Karte wurde nicht gespeichert, oder ihre Kennung ist hier nicht bekannt',
        title: (amount, card) => `${amount} wurde nicht gespeichert: ${card}`,
        submit: (amount) => `Klären: ${amount} nicht gespeichert`,
        consequence: (phone) =>
          `Die Abbuchung schlägt fehl, es wird keine Karte gespeichert, und Ihre Webhook-Endpunkte erhalten checkout.failed.${textTo(phone, 'Ein Hinweis, dass die Karte nicht gespeichert wurde,')}`,
      },
    },
    refund: {
      succeeded: {
        option: 'Die Erstattung war erfolgreich',
        title: (amount, card) => `${amount} wurden auf ${card} erstattet`,
        submit: (amount) => `Klären: ${amount} erstattet`,
        consequence: () => 'Die Erstattung ist erfolgreich, und Ihre Webhook-Endpunkte erhalten refund.succeeded.',
      },
      refused: {
        ...lostRefund,
        option: 'Der Zahlungsanbieter hat die Erstattung angenommen, aber sie ist fehlgeschlagen',
      },
      not_received: { ...lostRefund, option: 'Die Erstattung kam nie beim Zahlungsanbieter an' },
    },
  },
  merchant: (name) => <>Händler: {name}.</>,
  reference: (processor, id) => (
    <>
      Referenz bei {processor}: {id}.
    </>
  ),
  onlyRecords:
    'An den Zahlungsanbieter wird nichts gesendet: Hier wird nur das Ergebnis festgehalten, das er anzeigt. Sie können es später nicht ändern.',
  sentBefore: 'Dieses Formular wurde schon gesendet',
  nothingChanged: 'Es wurde nichts geändert',
  state: (amount, status) => `Aktueller Stand: ${amount}, ${status.toLowerCase()}.`,
  stateWith: (amount, status, processor, id) =>
    `Aktueller Stand: ${amount}, ${status.toLowerCase()}, Referenz bei ${processor}: ${id}.`,
  back: { charge: 'Zurück zur Abbuchung', refund: 'Zurück zur Erstattung' },
};
