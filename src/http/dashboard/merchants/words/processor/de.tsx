/** German words of the pages that connect a merchant's processor and prove it. */

import { plural } from '../../../words/formats.ts';
import type { ProcessorWords } from './en.tsx';

const kinds: ProcessorWords['kinds'] = {
  stripe: {
    title: 'Stripe',
    text: 'Nimmt Karten auf der Zahlungsseite an. Auch per Tastenfeld, wenn Stripe für das Konto MOTO-Zahlungen und rohe Kartendaten freigeschaltet hat.',
    credentials: {
      secret_key: { label: 'Geheimer oder eingeschränkter Schlüssel', hint: 'sk_… oder rk_…' },
      publishable_key: { label: 'Veröffentlichbarer Schlüssel', hint: 'pk_…, für die Zahlungsseite.' },
      account_id: { label: 'Verbundenes Konto', hint: 'acct_…, wenn das Konto zu Ihrer Plattform gehört.' },
    },
  },
  square: {
    title: 'Square',
    text: 'Nimmt Karten nur auf der Zahlungsseite an. Anrufer bekommen den Link sofort per SMS.',
    credentials: {
      access_token: { label: 'Zugriffstoken' },
      application_id: { label: 'Anwendungs-ID' },
      location_id: { label: 'Standort-ID' },
    },
  },
  authorizenet: {
    title: 'Authorize.net',
    text: 'Nimmt Karten per Tastenfeld an, und auf der Zahlungsseite mit Accept.js.',
    credentials: {
      api_login_id: { label: 'API-Anmelde-ID („API Login ID“)' },
      transaction_key: { label: 'Transaktionsschlüssel („Transaction Key“)' },
      public_client_key: { label: 'Öffentlicher Clientschlüssel', hint: 'Für die Zahlungsseite.' },
    },
  },
  checkoutcom: {
    title: 'Checkout.com',
    text: 'Nimmt Karten per Tastenfeld an, und Tokens auf Ihren eigenen Seiten. Hat keine Kartenfelder auf der Zahlungsseite.',
    credentials: {
      secret_key: { label: 'Geheimer Schlüssel', hint: 'sk_…' },
      public_key: { label: 'Öffentlicher Schlüssel', hint: 'pk_…, für Tokens.' },
      processing_channel_id: { label: 'Verarbeitungskanal', hint: 'pc_…, wenn Sie mehrere haben.' },
      prefix: { label: 'Präfix Ihrer API-Adresse', hint: 'Wie in prefix.api.checkout.com.' },
    },
  },
  worldpay: {
    title: 'Worldpay',
    text: 'Nimmt Karten per Tastenfeld und auf der Zahlungsseite an, über Access Worldpay.',
    credentials: {
      username: { label: 'Benutzername' },
      password: { label: 'Passwort' },
      entity: { label: 'Entität („Entity“)', hint: 'Von Worldpay, zum Beispiel default.' },
      narrative: { label: 'Text auf der Abrechnung', hint: 'Was Zahler lesen, bis zu 24 Zeichen.' },
      checkout_id: { label: 'Checkout-ID', hint: 'Für die Zahlungsseite.' },
    },
  },
  braintree: {
    title: 'Braintree',
    text: 'Nimmt Karten per Tastenfeld und auf der Zahlungsseite an.',
    credentials: {
      public_key: { label: 'Öffentlicher Schlüssel' },
      private_key: { label: 'Privater Schlüssel' },
      merchant_account_id: { label: 'ID des Händlerkontos', hint: 'Nicht die Händler-ID.' },
      currency: { label: 'Währung', hint: 'Die dieses Händlerkontos, zum Beispiel USD.' },
      tokenization_key: { label: 'Tokenisierungsschlüssel', hint: 'Für die Zahlungsseite.' },
    },
  },
  hyperswitch: {
    title: 'Hyperswitch',
    text: 'Nimmt Karten per Tastenfeld über Ihren eigenen Hyperswitch-Server an. Ohne gespeicherte Karten und Zahlungsseite.',
    credentials: {
      base_url: { label: 'Adresse des Servers', hint: 'https://…' },
      api_key: { label: 'API-Schlüssel', hint: 'snd_… oder prd_…' },
      connector: { label: 'Konnektor', hint: 'adyen, checkout oder worldpayvantiv.' },
      profile_id: { label: 'Profil-ID', hint: 'pro_…, wenn Sie mehrere haben.' },
    },
  },
  adyen: {
    title: 'Adyen',
    text: 'Nimmt Karten per Tastenfeld und auf der Zahlungsseite an. Braucht seine Meldungen: Ohne sie bleiben Einzüge und Erstattungen unbestätigt.',
    credentials: {
      api_key: { label: 'API-Schlüssel' },
      merchant_account: { label: 'Händlerkonto', hint: 'Eines, das MOTO-Zahlungen annimmt.' },
      url_prefix: { label: 'Präfix Ihrer Live-Adressen', hint: 'Nur im Livemodus.' },
      client_key: { label: 'Clientschlüssel', hint: 'test_… oder live_…, für die Zahlungsseite.' },
      environment: { label: 'Umgebung des Clientschlüssels', hint: 'Im Livemodus, zum Beispiel live-us.' },
      report_api_key: { label: 'API-Schlüssel für Berichte', hint: 'Für Auszahlungen.' },
    },
  },
  payconnector: {
    title: 'Pay Connector',
    text: 'Nimmt Karten per Tastenfeld an und sendet sie an den Endpunkt eines Generic Pay Connector (Twilio). Ohne gespeicherte Karten, Erstattungen und Zahlungsseite.',
    credentials: {
      url: { label: 'URL des Endpunkts', hint: 'https://…' },
      username: { label: 'Benutzername' },
      password: { label: 'Passwort' },
      lookup_url: { label: 'URL für Abfragen', hint: 'Für Abbuchungen, deren Antwort verloren ging.' },
    },
  },
  sandbox: { title: 'Sandbox', text: 'Nimmt Testkarten an. Es fließt kein Geld.', credentials: {} },
  sandbox_page: {
    title: 'Sandbox, nur Zahlungsseite',
    text: 'Nimmt Testkarten nur auf der Zahlungsseite an.',
    credentials: {},
  },
};

const notifications: ProcessorWords['notifications'] = {
  title: 'Meldungen des Zahlungsanbieters',
  notices: {
    set: 'Schlüssel gespeichert. Meldungen werden angenommen',
    removed: 'Schlüssel entfernt. Es werden keine Meldungen mehr angenommen',
  },
  about: (docs) => (
    <>
      Der Zahlungsanbieter meldet Ringkey unbestätigte Zahlungen und Anfechtungen sowie Erstattungen, Einzüge und
      Freigaben aus seinem eigenen Dashboard. {docs('Meldungen in der Dokumentation')}
    </>
  ),
  back: 'Zurück zum Händler',
  connectFirst: 'Verbinden Sie zuerst einen Zahlungsanbieter',
  cannot: (processor) => `${processor} sendet keine prüfbaren Meldungen`,
  atProcessor: 'Beim Zahlungsanbieter',
  facts: {
    processor: 'Zahlungsanbieter',
    where: 'Wo',
    url: 'URL',
    events: 'Ereignisse',
    status: 'Status',
    former: 'Früherer Schlüssel gilt bis',
  },
  noUrl: 'Setzen Sie zuerst RINGKEY_PUBLIC_URL.',
  copyUrl: 'URL kopieren',
  secret: 'Signaturschlüssel',
  set: 'Gesetzt',
  notSet: 'Nicht gesetzt',
  save: 'Schlüssel speichern',
  replace: 'Schlüssel ersetzen',
  remove: 'Schlüssel entfernen',
  label: 'Schlüssel vom Zahlungsanbieter',
  currentStays: 'Der aktuelle gilt noch 24 Stunden.',
  places: {
    stripe: {
      where: '„Developers“, „Webhooks“',
      events: 'payment_intent.*, charge.*, refund.*, payout.*',
      secret: 'Der Signaturschlüssel des Endpunkts (whsec_…).',
    },
    square: {
      where: '„Developer Console“, „Webhooks“, „Subscriptions“',
      events: 'payment.*, refund.*, dispute.*, payout.*',
      secret: 'Der Signaturschlüssel des Abonnements („Signature key“).',
    },
    authorizenet: {
      where: '„Account“, „Webhooks“',
      events: 'Alle von net.authorize.payment',
      secret: 'Der Signaturschlüssel des Kontos, 128 Hexadezimalziffern.',
    },
    checkoutcom: {
      where: 'Ein Workflow mit einer Webhook-Aktion',
      events: 'Alle Ereignisse zu Zahlungen und Anfechtungen',
      secret: 'Der Signaturschlüssel, den Sie dort eingeben.',
    },
    hyperswitch: {
      where: '„Control Center“, „Developers“, „Payment settings“',
      events: 'Alle',
      secret: 'Der „Payment response hash key“ des Profils.',
    },
    adyen: {
      where: '„Developers“, „Webhooks“, „Standard webhook“',
      events:
        'Die vorgegebenen Ereignisse, EXPIRE, TECHNICAL_CANCEL, REFUNDED_REVERSED, REPORT_AVAILABLE (Auszahlungen) und alle zu Anfechtungen',
      secret: 'Der HMAC-Schlüssel, 64 Hexadezimalziffern.',
    },
    braintree: {
      where: '„Control Panel“, „Settings“, „API“, „Webhooks“',
      events: 'Alle zu Anfechtungen sowie fehlgeschlagene Erstattungen',
      secret: 'Der private Schlüssel, mit dem Braintree verbunden ist, 32 Hexadezimalziffern.',
    },
    worldpay: {
      where:
        'Bitten Sie Ihren „Implementation Manager“, die URL hinzuzufügen und den Header Event-Signature zu aktivieren',
      events: 'Alle Ereignisse zu Zahlungen',
      secret: 'Der gemeinsame Schlüssel, den Sie dort erhalten.',
    },
  },
};

const proof: ProcessorWords['proof'] = {
  title: 'Testabbuchung',
  connected: 'Zahlungsanbieter verbunden. Führen Sie jetzt eine Testabbuchung aus',
  theProcessor: 'Der Zahlungsanbieter',
  nothingCharged: 'Es wurde nichts abgebucht',
  about: (amount, processor, card) => (
    <>
      Bucht {amount} bei {processor} von einer veröffentlichten Testkarte ab ({card}), als hätte ein Anrufer sie per
      Tastenfeld eingetippt, und erstattet den Betrag. Es fließt kein echtes Geld.
    </>
  ),
  placeCall: 'Testanruf starten',
  done: 'Fertig',
  back: 'Zurück zum Händler',
  make: 'Testabbuchung ausführen',
  makeAnother: 'Weitere Testabbuchung ausführen',
  checkoutCreated: (amount) => `Bezahlvorgang über ${amount} angelegt`,
  reference: (id) => <>Referenz des Zahlungsanbieters: {id}</>,
  notAboutCard: (processor) =>
    `${processor} hat wegen des Händlerkontos, der Zugangsdaten oder der Anfrage abgelehnt, nicht wegen der Karte.`,
  code: (code) => <>Code des Zahlungsanbieters: {code}</>,
  reports: (processor) => `Was ${processor} meldet`,
  charge: 'Zur Abbuchung',
  charged: (processor) => `${processor}: Testkarte belastet`,
  chargedIn: (processor, duration) => `${processor}: Testkarte belastet, in ${duration}`,
  underASecond: 'weniger als einer Sekunde',
  verdict: {
    open: (count) =>
      plural(count, {
        one: 'Die Testabbuchung hat funktioniert. # Anforderung oben ist noch offen',
        other: 'Die Testabbuchung hat funktioniert. # Anforderungen oben sind noch offen',
      }),
    works: (processor, amount) => `Es funktioniert: ${processor} hat ${amount} abgebucht und erstattet`,
    charges: (processor, amount) => `Es funktioniert: ${processor} hat ${amount} abgebucht, aber nicht erstattet`,
    pending: (processor, amount) =>
      `Es funktioniert: ${processor} hat ${amount} abgebucht. Die Erstattung ist unbestätigt`,
    failsMore: (processor) =>
      `Beheben Sie die Ursache bei ${processor} und führen Sie dann eine weitere Testabbuchung aus.`,
    unknown: (processor) => `Noch nicht bekannt: ${processor} hat die Abbuchung nicht bestätigt`,
    fails: (processor) => `Es funktioniert noch nicht: ${processor} hat nichts abgebucht`,
  },
  notCharged: (processor) => `${processor}: Testkarte nicht belastet`,
  notConfirmed: (processor) => `${processor}: Ergebnis der Abbuchung noch nicht bestätigt`,
  keepsLooking: 'Ringkey fragt weiter nach. Laden Sie diese Seite in einer Minute neu.',
  refunded: 'Erstattet',
  refundSent: (processor) => `${processor}: Erstattung gesendet, noch nicht bestätigt`,
  refundLater: 'Manche Zahlungsanbieter bestätigen sie später. Laden Sie diese Seite in einer Minute neu.',
  notRefunded: 'Nicht erstattet',
  cannotRefund: (processor, charge) => (
    <>
      Ringkey kann bei {processor} keine Zahlungen erstatten. Die Testabbuchung bleibt in der Testumgebung. Abbuchung:{' '}
      {charge}
    </>
  ),
  refundRefused: (processor, charge) => (
    <>
      {processor} hat die Erstattung abgelehnt. Abbuchung: {charge}
    </>
  ),
  noCard: {
    connectFirst: 'Verbinden Sie zuerst einen Zahlungsanbieter.',
    pageOnly:
      'Dieser Zahlungsanbieter nimmt Karten nur auf der Zahlungsseite an. Starten Sie einen Testanruf, und bezahlen Sie mit dem Link aus der SMS.',
    noneKnown: 'Dieser Zahlungsanbieter veröffentlicht keine Testkarte.',
  },
  testModeOnly: 'Testabbuchungen gibt es nur im Testmodus.',
  refusals: {
    notMade: 'Die Abbuchung wurde nicht ausgeführt.',
    nothingToPay: 'Für diesen Betrag ist bei diesem Händler keine Zahlung Pflicht.',
    limit:
      'Hier sind in letzter Zeit zu viele Abbuchungen fehlgeschlagen. Zum Schutz vor dem Durchprobieren gestohlener Karten wird diese abgelehnt. Versuchen Sie es in einer Stunde noch einmal.',
    credentials: 'Die Zugangsdaten des Händlers sind nicht verwendbar. Verbinden Sie den Zahlungsanbieter erneut.',
    unavailable: 'Die Datenbank hat nicht rechtzeitig geantwortet. Versuchen Sie es noch einmal.',
    other: (reason) => `Die Abbuchung wurde abgelehnt (${reason}).`,
  },
};

export const de: ProcessorWords = {
  steps: 'Schritte',
  step: {
    choose: 'Zahlungsanbieter wählen',
    credentials: 'Zugangsdaten eingeben',
    test: 'Testabbuchung ausführen',
  },
  connect: 'Zahlungsanbieter verbinden',
  connectTo: (processor) => `${processor} verbinden`,
  processors: 'Zahlungsanbieter',
  kinds,
  optional: (label) => `${label} (optional)`,
  otherProcessors: 'Andere Zahlungsanbieter',
  mustBegin: (label, prefixes) => `„${label}“ muss mit ${prefixes.join(' oder ')} beginnen.`,
  wrongForm: (label, processor, mode) =>
    `„${label}“ hat nicht die Form, die ${processor} im ${mode === 'test' ? 'Testmodus' : 'Livemodus'} verwendet. Kopieren Sie den Wert noch einmal.`,
  isMissing: (label) => `„${label}“ fehlt.`,
  connectErrors: {
    invalid_credentials: (processor) =>
      `${processor} hat diese Zugangsdaten abgelehnt. Prüfen Sie, ob sie zu diesem Modus und zu einem Konto gehören, und kopieren Sie sie noch einmal.`,
    vendor_not_provisioned: (processor) =>
      `${processor} nimmt diese Zugangsdaten an, das Konto kann aber noch keine Zahlungen annehmen. Schließen Sie die Einrichtung bei ${processor} ab und verbinden Sie es dann noch einmal.`,
    processor_unavailable: (processor) =>
      `${processor} war nicht erreichbar, um diese Zugangsdaten zu prüfen. Versuchen Sie es in einer Minute noch einmal.`,
  },
  notificationSecret: 'Signaturschlüssel der Meldungen (optional)',
  notificationSecretHint: 'Wenn Sie nichts eingeben, bleibt ein früherer erhalten.',
  notificationSecretFault:
    'Ein Signaturschlüssel hat 10 bis 250 Zeichen: Buchstaben, Ziffern und Symbole, ohne Leerzeichen. Kopieren Sie ihn noch einmal.',
  replaces: 'Ersetzt den jetzigen Zahlungsanbieter ab der nächsten Abbuchung.',
  notifications,
  proof,
};
