/** German words of attention items. */
import type { LimitName } from '../../domain/account-limits.ts';
import {
  type AttentionLanguage,
  type AttentionTexts,
  type LimitTexts,
  numbersIn,
  type ShownFacts,
} from './language.ts';

const number = numbersIn('de');
const sum = ({ amount }: ShownFacts) => amount ?? 'unbekannten Betrag';
const at = ({ merchant }: ShownFacts) => (merchant === null ? '' : ` bei ${merchant}`);
const ofCharges = (count: number) => (count === 1 ? 'einer Abbuchung' : `${number(count)} Abbuchungen`);
const inPeriod = ({ period }: ShownFacts) => (period === null ? '' : `${period}: `);
const reasons = (facts: ShownFacts) => (facts.reasons === null ? '' : `. Häufigste Gründe: ${facts.reasons}`);

const CHECK_FAILURES =
  'Prüfen Sie, warum Abbuchungen fehlschlagen. Viele Versuche mit einer Karte oder von einer Nummer können bedeuten, dass gestohlene Karten getestet werden.';
const RAISE = 'Wenn Sie mehr brauchen, bitten Sie den Betreiber, die Grenze anzuheben.';

const LIMITS: Readonly<Record<LimitName, LimitTexts>> = {
  calls: {
    what: 'Laufende Anrufe',
    atLimit: 'Ist die Grenze erreicht, werden weitere Anrufe auf der Zahlungsleitung abgewiesen.',
    advice: `${RAISE} Prüfen Sie andernfalls, ob ein Agent Anrufe immer wieder weiterleitet.`,
  },
  lookups_hour: {
    what: 'Nummernabfragen der letzten Stunde',
    atLimit: 'Ist die Grenze erreicht, werden die Nummern von Anrufern nicht abgefragt.',
    advice: RAISE,
  },
  lookups_day: {
    what: 'Nummernabfragen der letzten 24 Stunden',
    atLimit: 'Ist die Grenze erreicht, werden die Nummern von Anrufern nicht abgefragt.',
    advice: RAISE,
  },
  keys: {
    what: 'API-Schlüssel',
    atLimit: 'Ist die Grenze erreicht, kann kein Schlüssel angelegt werden.',
    advice: 'Widerrufen Sie Schlüssel, die nicht mehr verwendet werden.',
  },
  webhook_endpoints: {
    what: 'Webhook-Endpunkte',
    atLimit: 'Ist die Grenze erreicht, kann kein Endpunkt hinzugefügt werden.',
    advice: 'Löschen Sie Endpunkte, die nicht mehr verwendet werden.',
  },
  alert_targets: {
    what: 'Empfänger von Benachrichtigungen',
    atLimit: 'Ist die Grenze erreicht, kann kein Empfänger hinzugefügt werden.',
    advice: 'Entfernen Sie Empfänger, die nicht mehr mitlesen.',
  },
  users: {
    what: 'Benutzer',
    atLimit: 'Ist die Grenze erreicht, kann kein Benutzer eingeladen werden.',
    advice: 'Entfernen Sie Benutzer, die ausgeschieden sind.',
  },
  process_calls: {
    what: 'Laufende Anrufe eines Prozesses',
    atLimit: 'Ist die Grenze erreicht, weist er weitere Anrufe ab.',
    advice:
      'Bitten Sie den Betreiber des Dienstes, einen weiteren Prozess mit der Rolle phone zu starten oder die Grenze anzuheben.',
  },
  database_connections: {
    what: 'Verbindungen zur Datenbank',
    atLimit: 'Ist die Grenze erreicht, können sich Prozesse nicht verbinden, und Anfragen und Anrufe schlagen fehl.',
    advice:
      'Bitten Sie den Betreiber des Dienstes, die Grenze von PostgreSQL (`max_connections`), der Datenbank oder der Rolle zu erhöhen oder einen Pooler davorzuschalten.',
  },
  process_load: {
    what: 'Last eines Telefonprozesses',
    title: 'Ein Telefonprozess ist nahe seiner Lastgrenze',
    used: (count) => `In der letzten Minute lag seine Last bei ${number(count)}\u00a0% der Grenze.`,
    atLimit: 'Darüber weist er neue Anrufe ab.',
    advice:
      'Bitten Sie den Betreiber des Dienstes, einen weiteren Prozess mit der Rolle phone zu starten und zu prüfen, ob Medienserver oder PostgreSQL langsam antworten.',
  },
  speech: {
    what: 'Erzeugte Sprache',
    title: 'Erzeugte Sprache: nahe der Grenze des Kontos',
    used: () =>
      'In der letzten Stunde hat ein Prozess mindestens 80\u00a0% der Sprache erzeugt, die in einer Stunde erlaubt ist.',
    atLimit: 'Ist die Grenze erreicht, werden Aufnahmen statt eigener Sätze und Namen der Händler abgespielt.',
    advice:
      'Wenn Ihre Anrufer mehr brauchen, bitten Sie den Betreiber, die Grenze anzuheben. Prüfen Sie andernfalls, ob ein Programm Bezahlvorgänge mit immer neuen Texten anlegt.',
  },
};

function certificate({ name, isOver, ...facts }: ShownFacts, ends: (day: string) => string): AttentionTexts {
  const day = facts.day ?? 'unbekannten Tag';
  return {
    title: isOver ? `Das Zertifikat von ${name} ist am ${day} abgelaufen` : `Das Zertifikat von ${name} ${ends(day)}`,
    detail: isOver
      ? 'Browser, Sprachplattformen und Trunks verbinden sich nicht mehr.'
      : 'Danach verbinden sich Browser, Sprachplattformen und Trunks nicht mehr.',
    advice:
      'Bitten Sie den Betreiber des Dienstes, es zu erneuern und den Server neu zu laden, der es verwendet. Ringkey liest es stündlich.',
  };
}

const lastFailure = ({ statusCode, failure }: ShownFacts) => {
  if (statusCode !== null) return `, der letzte mit Status ${statusCode}`;
  return failure === null ? '' : `: ${failure}`;
};

const items: AttentionLanguage['items'] = {
  charge_to_settle: (facts) => ({
    title: `Abbuchung über ${sum(facts)}${at(facts)} ohne Ergebnis`,
    detail: 'Der Zahlungsanbieter hat kein Ergebnis gemeldet, und Ringkey fragt nicht mehr nach.',
    advice: 'Suchen Sie die Abbuchung im Dashboard des Zahlungsanbieters, und klären Sie sie.',
  }),
  refund_to_settle: (facts) => ({
    title: `Erstattung über ${sum(facts)}${at(facts)} ohne Ergebnis`,
    detail: 'Der Zahlungsanbieter hat kein Ergebnis gemeldet, und Ringkey fragt nicht mehr nach.',
    advice: 'Suchen Sie die Erstattung im Dashboard des Zahlungsanbieters, und klären Sie sie.',
  }),
  hold_change_to_settle: (facts) =>
    facts.name === 'void'
      ? {
          title: `Freigabe über ${sum(facts)}${at(facts)} ohne Ergebnis`,
          detail:
            'Der Zahlungsanbieter hat nicht gemeldet, ob er die Reservierung freigegeben hat, und Ringkey fragt nicht mehr nach. Bis das Ergebnis feststeht, kann sie hier nicht geändert werden.',
          advice:
            'Starten Sie die Freigabe noch einmal: Ringkey fragt dann zuerst nach. Gibt es weiterhin kein Ergebnis, sehen Sie im Dashboard des Zahlungsanbieters nach.',
        }
      : {
          title: `Einzug über ${sum(facts)}${at(facts)} ohne Ergebnis`,
          detail:
            'Der Zahlungsanbieter hat nicht gemeldet, ob er den reservierten Betrag eingezogen hat, und Ringkey fragt nicht mehr nach. Bis das Ergebnis feststeht, kann die Reservierung hier nicht geändert werden.',
          advice:
            'Starten Sie den Einzug noch einmal: Ringkey fragt dann zuerst nach. Gibt es weiterhin kein Ergebnis, sehen Sie im Dashboard des Zahlungsanbieters nach.',
        },
  late_charge: (facts) =>
    facts.isDuplicate
      ? {
          title: `Zahlung über ${sum(facts)}${at(facts)} vielleicht doppelt abgebucht`,
          detail:
            'Die Abbuchung wurde als fehlgeschlagen gemeldet, aber der Zahlungsanbieter hat die Karte doch belastet. Dieselbe Bestellung wurde mit einer anderen Abbuchung bezahlt.',
          advice: 'Vergleichen Sie die beiden Abbuchungen, und erstatten Sie eine davon.',
        }
      : {
          title: `Zahlung über ${sum(facts)}${at(facts)} wurde verspätet bestätigt`,
          detail:
            'Die Abbuchung wurde als fehlgeschlagen gemeldet, aber der Zahlungsanbieter hat die Karte doch belastet. Der Anrufer hat vielleicht gehört, dass nichts abgebucht wurde.',
          advice: 'Liefern Sie die Bestellung, oder erstatten Sie die Abbuchung.',
        },
  refund_failed_late: (facts) => ({
    title: `Erstattung über ${sum(facts)}${at(facts)} ist fehlgeschlagen`,
    detail: `Sie war zuerst erfolgreich. ${facts.processor} meldet nun, dass die Bank des Zahlers sie nicht angenommen hat. Der Zahler hat das Geld nicht zurückbekommen.`,
    advice: 'Erstatten Sie die Abbuchung noch einmal, oder vereinbaren Sie mit dem Zahler einen anderen Weg.',
  }),
  capture_failed: (facts) => ({
    title: `Zahlung über ${sum(facts)}${at(facts)} konnte nicht eingezogen werden`,
    detail: `Die Abbuchung war zuerst erfolgreich. ${facts.processor} meldet nun, dass der Einzug fehlgeschlagen ist. Es wurde nichts abgebucht.`,
    advice: 'Liefern Sie die Bestellung nicht aus, und lassen Sie den Zahler noch einmal bezahlen.',
  }),
  debit_returned: (facts) => {
    const code = facts.returnCode === null ? '' : ` (${facts.returnCode})`;
    return {
      title: `Lastschrift über ${sum(facts)}${at(facts)} wurde zurückgegeben`,
      detail: facts.wasRefunded
        ? `Die Bank hat sie nach der Zahlung zurückgegeben${code}, und Sie hatten sie schon erstattet. Der Zahler hat das Geld vielleicht doppelt bekommen.`
        : `Die Bank hat sie nach der Zahlung zurückgegeben${code}. Die Bestellung gilt wieder als unbezahlt.`,
      advice:
        'Bitten Sie den Zahler um eine andere Zahlung. Belasten Sie das Konto nicht ohne neue Zustimmung, und nie, nachdem der Zahler der Lastschrift widersprochen hat (R05, R07, R10, R29).',
    };
  },
  processor_differs: (facts) => {
    const advice = 'Vergleichen Sie die Abbuchung mit dem Dashboard des Zahlungsanbieters.';
    if (facts.name === 'capture') {
      return {
        title: `Zahlung über ${sum(facts)}${at(facts)} wurde erstattet, konnte aber nicht eingezogen werden`,
        detail: `${facts.processor} meldet, dass der Einzug der Abbuchung fehlgeschlagen ist. Sie hatten die Abbuchung erstattet, der Zahler hat also vielleicht Geld bekommen, das nie eingezogen wurde. Die Abbuchung bleibt, wie sie ist.`,
        advice,
      };
    }
    const what = facts.amount === null ? 'Eine Erstattung' : `Eine Erstattung über ${facts.amount}`;
    return {
      title: `${what}${at(facts)} ist nicht erfasst`,
      detail: `${facts.processor} meldet eine Erstattung, die nicht zur Abbuchung passt: Sie ist höher als der noch erstattbare Betrag, in einer anderen Währung, oder ihre ID ist schon vergeben. Sie wird hier nicht mitgezählt.`,
      advice,
    };
  },
  dispute_to_answer: (facts) => {
    const until = facts.day === null ? '' : ` bis ${facts.day}`;
    const advice =
      'Reichen Sie Nachweise im Dashboard des Zahlungsanbieters ein, oder akzeptieren Sie die Anfechtung dort.';
    return facts.name === 'inquiry'
      ? {
          title: `Rückfrage zu ${facts.amount ?? 'einer Zahlung'}${at(facts)}${until} beantworten`,
          detail: 'Die Bank des Zahlers fragt nach der Zahlung. Ohne Antwort kann sie den Betrag zurückholen.',
          advice,
        }
      : {
          title: `Anfechtung über ${sum(facts)}${at(facts)}${until} beantworten`,
          detail: 'Die Bank des Zahlers ficht die Zahlung an. Ohne Antwort bleibt der Betrag beim Zahler.',
          advice,
        };
  },
  processor_refusing: (facts) => ({
    title: `${facts.processor} lehnt Abbuchungen${at(facts)} ab`,
    detail: `${inPeriod(facts)}${number(facts.count)} von ${ofCharges(facts.of)} aus anderen Gründen als der Karte fehlgeschlagen oder noch ohne Antwort.`,
    advice:
      'Prüfen Sie die Statusseite des Zahlungsanbieters und dann die Zugangsdaten und das Konto des Händlers bei ihm.',
  }),
  processor_slow: (facts) => ({
    title: `${facts.processor} ist langsam${at(facts)}`,
    detail: `${inPeriod(facts)}${number(facts.seconds)} Sekunden oder länger bei der Hälfte der Abbuchungen. Anrufer warten in der Leitung.`,
    advice: 'Prüfen Sie die Statusseite des Zahlungsanbieters.',
  }),
  success_rate_low: (facts) => ({
    title: `${facts.failed} der Abbuchungen${at(facts)} schlagen fehl, üblich sind ${facts.usuallyFailed}`,
    detail: `${inPeriod(facts)}${number(facts.count)} von ${ofCharges(facts.of)} sind fehlgeschlagen${reasons(facts)}. In den sieben Tagen vor heute waren es ${facts.usuallyFailed}.`,
    advice: CHECK_FAILURES,
  }),
  success_rate_low_for_days: (facts) => ({
    title: `${facts.failed} der Abbuchungen${at(facts)} sind ${facts.days === 1 ? 'an einem Tag' : `in ${facts.days} Tagen`} fehlgeschlagen, üblich sind ${facts.usuallyFailed}`,
    detail: `${inPeriod(facts)}${number(facts.count)} von ${ofCharges(facts.of)} sind fehlgeschlagen${reasons(facts)}. In den vier Wochen ${facts.usualUntil === null ? 'davor' : `vor dem ${facts.usualUntil} (UTC)`} waren es ${facts.usuallyFailed}.`,
    advice: CHECK_FAILURES,
  }),
  endpoint_failing: (facts) => ({
    title: `Zustellungen an den Webhook-Endpunkt ${facts.name} schlagen fehl`,
    detail: `Mindestens die letzten ${number(facts.count)} Versuche sind fehlgeschlagen${lastFailure(facts)}. Ringkey wiederholt die Zustellung jedes Ereignisses drei Tage lang.`,
    advice:
      'Prüfen Sie die Antworten des Endpunkts, und beheben Sie den Fehler. Die verpassten Ereignisse können Sie erneut senden.',
  }),
  event_unsent: (facts) => ({
    title: `Ereignis ${facts.name} wurde nicht gesendet`,
    detail: 'Sein Inhalt konnte nicht erzeugt werden, deshalb hat kein Endpunkt es erhalten.',
    advice: 'Senden Sie das Ereignis erneut. Schlägt das wieder fehl, melden Sie es mit der ID des Ereignisses.',
  }),
  texts_undelivered: (facts) => ({
    title: facts.count === 1 ? '1 SMS wurde nicht zugestellt' : `${number(facts.count)} SMS wurden nicht zugestellt`,
    detail: `${inPeriod(facts)}${number(facts.count)} von ${number(facts.of)} nicht zugestellt. Anrufern fehlt vielleicht ein Zahlungslink oder ein Beleg.`,
    advice: 'Prüfen Sie in der Liste bei jeder SMS den Fehlercode des Netzbetreibers.',
  }),
  texts_near_limit: () => ({
    title: 'SMS: nahe der Grenze des Kontos',
    detail:
      'Mindestens 80\u00a0% der Grenze pro Stunde oder Tag sind ausgeschöpft. Ist sie erreicht, werden keine Zahlungslinks gesendet.',
    advice:
      'Wenn Ihre Anrufer diese SMS angefordert haben, bitten Sie den Betreiber, die Grenze anzuheben. Erneuern Sie andernfalls Ihre API-Schlüssel.',
  }),
  emails_undelivered: (facts) => ({
    title:
      facts.count === 1
        ? '1 Beleg per E-Mail wurde nicht zugestellt'
        : `${number(facts.count)} Belege per E-Mail wurden nicht zugestellt`,
    detail: `${inPeriod(facts)}${number(facts.count)} von ${number(facts.of)} nicht zugestellt. Der Mailserver hat den Versand abgelehnt, oder es ist keiner eingerichtet.`,
    advice: 'Prüfen Sie die Einstellungen des Mailservers und in der Liste bei jeder E-Mail den Fehlercode.',
  }),
  alerts_undelivered: ({ name, count }) => ({
    title: `Benachrichtigungen an ${name} kommen nicht an`,
    detail: `Die letzten ${number(count)} Versuche sind fehlgeschlagen.`,
    advice: 'Prüfen Sie die Adresse oder die Slack-App, und senden Sie eine Testnachricht.',
  }),
  key_expiring: ({ name, isOver, ...facts }) => {
    const day = facts.day ?? 'unbekannten Tag';
    return isOver
      ? {
          title: `API-Schlüssel ${name} ist abgelaufen`,
          detail: `Seit dem ${day} werden Anfragen mit diesem Schlüssel abgelehnt.`,
          advice: 'Legen Sie einen neuen an, falls dieser noch verwendet wurde. Widerrufen Sie ihn andernfalls.',
        }
      : {
          title: `API-Schlüssel ${name} läuft am ${day} ab`,
          detail: 'Danach werden Anfragen mit diesem Schlüssel abgelehnt.',
          advice: 'Legen Sie einen neuen an, und ersetzen Sie diesen überall, wo er verwendet wird.',
        };
  },
  limit_near: ({ limit, isOfService, count, of }) => {
    const { what, title, used, atLimit, advice } = LIMITS[limit];
    return {
      title: title ?? `${what}: nahe der Grenze des ${isOfService ? 'Dienstes' : 'Kontos'}`,
      detail: `${used?.(count) ?? `Aktuell: ${number(count)} von ${number(of)}.`} ${atLimit}`,
      advice,
    };
  },
  key_near_limit: ({ name }) => ({
    title: `API-Schlüssel ${name}: nahe der Grenze für Anfragen`,
    detail:
      'In den letzten 15 Minuten hat er zeitweise mindestens 80\u00a0% der Anfragen verbraucht, die in zwei Sekunden erlaubt sind. Weitere werden mit 429 beantwortet.',
    advice:
      'Verteilen Sie die Anfragen, verwenden Sie für jedes Programm einen eigenen Schlüssel, und warten Sie auf Webhooks, statt regelmäßig abzufragen.',
  }),
  certificate_expiring: (facts) => certificate(facts, (day) => `läuft am ${day} ab`),
  certificate_ending: (facts) => certificate(facts, (day) => `muss vor dem ${day} erneuert werden`),
  media_server_missing: ({ count, of }) => ({
    title: count === 1 ? '1 Medienserver fehlt' : `${number(count)} Medienserver fehlen`,
    detail:
      count < of
        ? `Es sollten ${number(of)} sein. Anrufe laufen über die anderen. Ist keiner mehr da, werden Anrufe abgewiesen.`
        : `Es sollten ${number(of)} sein. Ohne Medienserver werden Anrufe abgewiesen.`,
    advice:
      'Bitten Sie den Betreiber des Dienstes, den Server neu zu starten oder außer Betrieb zu nehmen. „ringkey media list“ zeigt die Server.',
  }),
  sip_server_missing: ({ count }) => ({
    title: count === 1 ? '1 SIP-Server fehlt' : `${number(count)} SIP-Server fehlen`,
    detail:
      'Ein Telefonprozess hat seit einer Minute keine Verbindung dorthin. Anrufe laufen über die anderen, falls es welche gibt. Andernfalls schlagen sie fehl.',
    advice: 'Bitten Sie den Betreiber des Dienstes, den Server neu zu starten oder das Netz zu prüfen.',
  }),
  phone_missing: () => ({
    title: 'Kein Prozess nimmt Anrufe an',
    detail: 'Es läuft kein Prozess mit der Rolle phone, deshalb schlagen Anrufe auf der Zahlungsleitung fehl.',
    advice: 'Bitten Sie den Betreiber des Dienstes, einen zu starten und herauszufinden, warum keiner mehr läuft.',
  }),
  worker_missing: () => ({
    title: 'Kein Worker läuft',
    detail: 'Webhooks, SMS und die Klärung unbestätigter Abbuchungen warten, bis einer läuft.',
    advice: 'Bitten Sie den Betreiber des Dienstes, einen Prozess mit der Rolle worker zu starten.',
  }),
};

export const de: AttentionLanguage = {
  numbers: 'de',
  days: 'de',
  payConnector: 'Der Pay Connector',
  someProcessor: 'Der Zahlungsanbieter',
  items,
};
