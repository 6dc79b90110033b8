/** German, with Sie. */
import type { AgentWords, CallerWords } from '../agent.ts';

/** `what` with its article. */
function mistyped(what: string, pronoun: 'sie' | 'ihn' | 'es'): CallerWords {
  const shown = what.charAt(0).toUpperCase() + what.slice(1);
  return {
    agentMessage: `Die Bank sagt, dass ${what} nicht stimmt. Möchten Sie ${pronoun} prüfen und es noch einmal versuchen?`,
    displayMessage: `${shown} stimmt nicht. Bitte prüfen Sie ${pronoun} und versuchen Sie es noch einmal.`,
  };
}

export const agent: AgentWords = {
  errors: {
    card_declined: {
      agentMessage: 'Es tut mir leid, die Karte wurde abgelehnt. Möchten Sie eine andere Karte verwenden?',
      displayMessage: 'Ihre Karte wurde abgelehnt. Bitte versuchen Sie es mit einer anderen Karte.',
    },
    instrument_not_found: {
      agentMessage: 'Es tut mir leid, diese Karte ist bei uns nicht gespeichert. Möchten Sie eine andere verwenden?',
      displayMessage: 'Diese Karte ist nicht gespeichert. Bitte wählen Sie eine andere Karte.',
    },
    processor_mismatch: {
      agentMessage:
        'Diese Karte kann ich hier nicht verwenden, aber ich kann Ihnen per SMS einen sicheren Link zum Bezahlen schicken. Ist Ihnen das recht?',
      displayMessage:
        'Diese Karte kann hier nicht verwendet werden. Bitte bezahlen Sie mit dem Link, den wir Ihnen schicken.',
    },
    merchant_credentials_invalid: {
      agentMessage:
        'Es tut mir leid, ich kann gerade keine Zahlung annehmen. Es liegt nicht an Ihrer Karte, und es wurde nichts abgebucht.',
      displayMessage:
        'Zahlungen sind gerade nicht möglich. Es liegt nicht an Ihrer Karte, und es wurde nichts abgebucht.',
    },
    needs_enrollment: {
      agentMessage:
        'Hier ist noch keine Karte von Ihnen gespeichert, aber ich kann Ihnen per SMS einen sicheren Link zum Bezahlen schicken. Soll ich das tun?',
      displayMessage: 'Hier ist noch keine Karte gespeichert. Bitte bezahlen Sie mit dem Link, den wir Ihnen schicken.',
    },
    processor_unavailable: {
      agentMessage:
        'Ich konnte nicht bestätigen, ob die Zahlung durchgegangen ist, bitte bezahlen Sie deshalb nicht noch einmal.',
      displayMessage: 'Wir konnten Ihre Zahlung noch nicht bestätigen. Bitte bezahlen Sie nicht noch einmal.',
    },
    rate_limit: {
      agentMessage:
        'Es tut mir leid, das hat gerade nicht geklappt. Einen Moment bitte, dann können wir es noch einmal versuchen.',
      displayMessage: 'Zu viele Versuche. Bitte warten Sie einen Moment und versuchen Sie es dann noch einmal.',
    },
    order_lookup_failed: {
      agentMessage:
        'Es tut mir leid, ich finde diese Bestellung gerade nicht und kann die Zahlung deshalb noch nicht annehmen.',
      displayMessage: 'Wir konnten diese Bestellung nicht finden. Es wurde nichts abgebucht.',
    },
    card_save_failed: {
      agentMessage: 'Es tut mir leid, ich konnte diese Karte nicht speichern. Möchten Sie eine andere verwenden?',
      displayMessage: 'Diese Karte konnte nicht gespeichert werden. Bitte versuchen Sie es mit einer anderen Karte.',
    },
  },
  declines: {
    insufficient_funds: {
      agentMessage:
        'Es tut mir leid, die Bank hat diesen Betrag mit dieser Karte nicht genehmigt. Möchten Sie eine andere Karte verwenden?',
      displayMessage: 'Ihre Bank hat diesen Betrag nicht genehmigt. Bitte versuchen Sie es mit einer anderen Karte.',
    },
    expired_card: {
      agentMessage: 'Es tut mir leid, diese Karte ist abgelaufen. Möchten Sie eine andere Karte verwenden?',
      displayMessage: 'Ihre Karte ist abgelaufen. Bitte versuchen Sie es mit einer anderen Karte.',
    },
    card_not_supported: {
      agentMessage:
        'Es tut mir leid, diese Karte kann für diese Zahlung nicht verwendet werden. Möchten Sie eine andere Karte verwenden?',
      displayMessage:
        'Diese Karte kann für diese Zahlung nicht verwendet werden. Bitte versuchen Sie es mit einer anderen Karte.',
    },
    authentication_required: {
      agentMessage:
        'Es tut mir leid, die Bank möchte, dass die Zahlung von Ihnen bestätigt wird, und das ist nicht geschehen. Möchten Sie eine andere Karte verwenden?',
      displayMessage:
        'Ihre Bank wollte, dass Sie die Zahlung bestätigen, und das ist nicht geschehen. Bitte versuchen Sie es noch einmal oder mit einer anderen Karte.',
    },
    incorrect_number: mistyped('die Kartennummer', 'sie'),
    incorrect_cvc: mistyped('der Prüfcode', 'ihn'),
    incorrect_expiry: mistyped('das Ablaufdatum', 'es'),
    incorrect_zip: mistyped('die Postleitzahl', 'sie'),
    processing_error: {
      agentMessage:
        'Es tut mir leid, die Zahlung konnte nicht verarbeitet werden. Möchten Sie es noch einmal versuchen oder eine andere Karte verwenden?',
      displayMessage:
        'Ihre Zahlung konnte nicht verarbeitet werden. Bitte versuchen Sie es noch einmal oder mit einer anderen Karte.',
    },
    try_again_later: {
      agentMessage:
        'Es tut mir leid, diese Karte kann gerade nicht belastet werden. Möchten Sie eine andere Karte verwenden oder es später noch einmal versuchen?',
      displayMessage:
        'Diese Karte kann gerade nicht belastet werden. Bitte versuchen Sie es später noch einmal oder mit einer anderen Karte.',
    },
  },
  other: {
    no_more_attempts: {
      agentMessage:
        'Es tut mir leid, für diese Bestellung ist gerade kein weiterer Zahlungsversuch möglich. Es wurde nichts abgebucht.',
      displayMessage: 'Weitere Versuche sind gerade nicht möglich. Es wurde nichts abgebucht.',
    },
    order_paid: {
      agentMessage: 'Diese Bestellung ist schon bezahlt, es ist nichts mehr zu bezahlen.',
      displayMessage: 'Diese Bestellung ist bereits bezahlt. Es ist nichts mehr zu bezahlen.',
    },
    order_has_payment: {
      agentMessage: 'Für diese Bestellung gibt es schon eine Zahlung, deshalb kann ich keine weitere annehmen.',
      displayMessage: 'Für diese Bestellung gibt es bereits eine Zahlung. Eine weitere ist hier nicht möglich.',
    },
    order_pending: {
      agentMessage: 'Eine Zahlung für diese Bestellung wird gerade bestätigt, bitte bezahlen Sie nicht noch einmal.',
      displayMessage: 'Eine Zahlung für diese Bestellung wird noch bestätigt. Bitte bezahlen Sie nicht noch einmal.',
    },
    debit_declined: {
      agentMessage:
        'Es tut mir leid, die Zahlung von Ihrem Bankkonto hat nicht geklappt. Möchten Sie mit einer Karte bezahlen?',
      displayMessage: 'Die Zahlung von Ihrem Bankkonto hat nicht geklappt. Bitte bezahlen Sie mit einer Karte.',
    },
    outcome_by_text: {
      agentMessage:
        'Ich konnte nicht bestätigen, ob die Zahlung durchgegangen ist, bitte bezahlen Sie deshalb nicht noch einmal. Sobald wir es wissen, bekommen Sie eine SMS.',
      displayMessage:
        'Wir konnten Ihre Zahlung noch nicht bestätigen. Bitte bezahlen Sie nicht noch einmal: Sobald wir es wissen, bekommen Sie eine SMS.',
    },
    no_card_on_file: {
      agentMessage: 'Es tut mir leid, hier ist keine Karte von Ihnen gespeichert, mit der Sie bezahlen können.',
      displayMessage: 'Hier ist keine Karte gespeichert, mit der Sie bezahlen können.',
    },
    card_not_usable: {
      agentMessage:
        'Es tut mir leid, diese Karte kann ich hier nicht verwenden. Möchten Sie mit einer anderen Karte bezahlen?',
      displayMessage: 'Diese Karte kann hier nicht verwendet werden. Bitte verwenden Sie eine andere Karte.',
    },
    link_not_texted: {
      agentMessage: 'Leider kann ich Ihnen gerade keinen Link schicken.',
      displayMessage: 'An diese Nummer kann gerade kein Link geschickt werden.',
    },
    refund_unavailable: {
      agentMessage: 'Es tut mir leid, ich kann den Betrag gerade nicht erstatten. Es wurde nichts erstattet.',
      displayMessage: 'Erstattungen sind gerade nicht möglich. Es wurde nichts erstattet.',
    },
    refund_unknown: {
      agentMessage:
        'Ich konnte diese Erstattung noch nicht bestätigen. Sie müssen nichts weiter tun; das klärt sich in Kürze.',
      displayMessage:
        'Wir konnten die Erstattung noch nicht bestätigen. Das klärt sich in Kürze; Sie müssen nichts tun.',
    },
  },
  checkout: {
    transfer: 'Ich verbinde Sie jetzt mit unserem sicheren Zahlungsservice. Bitte halten Sie Ihre Karte bereit.',
    transferToSave:
      'Ich verbinde Sie jetzt mit unserem sicheren Service, um Ihre Karte zu speichern. Bitte halten Sie sie bereit.',
    linkToSave: 'Ich sende Ihnen jetzt einen sicheren Link per SMS, über den Sie Ihre Karte speichern können.',
    transferWithoutKeypad: 'Ich verbinde Sie jetzt mit unserem sicheren Zahlungsservice.',
    cardOrLater:
      'Sie können jetzt mit der Karte bezahlen, die bei uns gespeichert ist, oder später. Was ist Ihnen lieber?',
    linkOrLater:
      'Sie können jetzt mit einem sicheren Link bezahlen, den ich Ihnen per SMS schicke, oder später. Was ist Ihnen lieber?',
    later: 'Sie müssen jetzt nicht bezahlen; Sie können das später tun.',
    nothingDue: 'Alles ist erledigt. Im Moment ist nichts zu bezahlen.',
  },
  outcome: {
    paid: 'Vielen Dank, Ihre Zahlung ist durchgegangen.',
    paidPart: (remaining) => `Vielen Dank, Ihre Zahlung ist durchgegangen. Noch offen: ${remaining}.`,
    held: (amount) => `Vielen Dank, wir haben ${amount} auf Ihrer Karte reserviert. Abgebucht wurde noch nichts.`,
    saved: 'Vielen Dank, Ihre Karte ist gespeichert. Es wurde nichts abgebucht.',
    savingPending: 'Ihre Karte wird gerade geprüft.',
    unsaved: 'Es wurde noch keine Karte gespeichert und nichts abgebucht.',
    released: 'Die Reservierung auf Ihrer Karte wurde aufgehoben, und es wurde nichts abgebucht.',
    debited:
      'Vielen Dank, Ihre Zahlung vom Bankkonto ist unterwegs. Sie bleibt offen, bis Ihre Bank in einigen Tagen bezahlt hat.',
    returned: 'Ihre Bank hat diese Zahlung zurückgegeben, sie ist also nicht bezahlt.',
    notCollected: 'Diese Zahlung konnte doch nicht eingezogen werden, sie ist also nicht bezahlt.',
    confirming: 'Eine Zahlung wird gerade bestätigt, bitte bezahlen Sie nicht noch einmal.',
    expired: 'Die Zeit für diese Zahlung ist abgelaufen, und es wurde nichts abgebucht.',
    linkTexted: 'Sie können weiterhin mit dem sicheren Link bezahlen, den wir Ihnen per SMS geschickt haben.',
    unpaid: 'Es wurde noch nichts bezahlt.',
    notConnected:
      'Es tut mir leid, die Verbindung zu unserer Zahlungshotline kam nicht zustande, und es wurde nichts abgebucht. Sollen wir es noch einmal versuchen?',
    nothingKeyed:
      'Bei der Zahlung sind keine Kartendaten angekommen, es wurde also nichts abgebucht. Möchten Sie es noch einmal versuchen?',
    notUnderstood:
      'Bei der Zahlung konnten Ihre Kartendaten nicht gelesen werden, es wurde also nichts abgebucht. Möchten Sie es noch einmal versuchen?',
    stopped: 'Die Zahlung wurde abgebrochen, und es wurde nichts abgebucht. Möchten Sie es noch einmal versuchen?',
    noKeypad:
      'Es tut mir leid, hier können keine Kartendaten per Telefon eingegeben werden. Es wurde nichts abgebucht.',
    lineFailed:
      'Es tut mir leid, bei der Zahlung ist etwas schiefgegangen. Es wurde nichts abgebucht. Sollen wir es noch einmal versuchen?',
  },
};
