/** French words of attention items. */
import type { LimitName } from '../../domain/account-limits.ts';
import {
  type AttentionLanguage,
  type AttentionTexts,
  type LimitTexts,
  numbersIn,
  type ShownFacts,
} from './language.ts';

const number = numbersIn('fr');
const ofSum = ({ amount }: ShownFacts) => (amount === null ? 'd’un montant inconnu' : `de ${amount}`);
const at = ({ merchant }: ShownFacts) => (merchant === null ? '' : ` chez ${merchant}`);
const charges = (count: number) => (count === 1 ? '1 débit' : `${number(count)} débits`);
const inPeriod = ({ period }: ShownFacts) => (period === null ? '' : `${period}\u202f: `);
const reasons = (facts: ShownFacts) =>
  facts.reasons === null ? '' : `. Motifs les plus fréquents\u202f: ${facts.reasons}`;

const CHECK_FAILURES =
  'Vérifiez pourquoi les débits échouent. De nombreuses tentatives avec une même carte ou depuis un même numéro peuvent indiquer que des cartes volées sont testées.';
const RAISE = 'S’il vous en faut plus, demandez à l’exploitant de relever la limite.';

const LIMITS: Readonly<Record<LimitName, LimitTexts>> = {
  calls: {
    what: 'Appels en cours',
    atLimit: 'Une fois la limite atteinte, les nouveaux appels vers la ligne de paiement sont refusés.',
    advice: `${RAISE} Sinon, vérifiez si un agent transfère des appels à répétition.`,
  },
  lookups_hour: {
    what: 'Vérifications de numéros de la dernière heure',
    atLimit: 'Une fois la limite atteinte, les numéros des appelants ne sont plus vérifiés.',
    advice: RAISE,
  },
  lookups_day: {
    what: 'Vérifications de numéros des dernières 24 heures',
    atLimit: 'Une fois la limite atteinte, les numéros des appelants ne sont plus vérifiés.',
    advice: RAISE,
  },
  keys: {
    what: 'Clés API',
    atLimit: 'Une fois la limite atteinte, aucune clé ne peut être créée.',
    advice: 'Révoquez les clés qui ne sont plus utilisées.',
  },
  webhook_endpoints: {
    what: 'Endpoints de webhook',
    atLimit: 'Une fois la limite atteinte, aucun endpoint ne peut être ajouté.',
    advice: 'Supprimez les endpoints qui ne sont plus utilisés.',
  },
  alert_targets: {
    what: 'Destinataires des alertes',
    atLimit: 'Une fois la limite atteinte, aucune alerte ne peut être ajoutée.',
    advice: 'Supprimez les alertes que plus personne ne lit.',
  },
  users: {
    what: 'Utilisateurs',
    atLimit: 'Une fois la limite atteinte, aucun utilisateur ne peut être invité.',
    advice: 'Supprimez les utilisateurs qui sont partis.',
  },
  process_calls: {
    what: 'Appels en cours d’un processus',
    atLimit: 'Une fois la limite atteinte, il refuse les nouveaux appels.',
    advice:
      'Demandez à l’exploitant du service de démarrer un autre processus avec le rôle phone, ou de relever la limite.',
  },
  database_connections: {
    what: 'Connexions à la base de données',
    atLimit:
      'Une fois la limite atteinte, les processus ne peuvent plus se connecter, et des requêtes et des appels échouent.',
    advice:
      'Demandez à l’exploitant du service d’augmenter la limite de PostgreSQL (`max_connections`), celle de la base de données ou celle du rôle, ou de placer un pooler devant.',
  },
  process_load: {
    what: 'Charge d’un processus téléphonique',
    title: 'Un processus téléphonique approche de sa limite de charge',
    used: (count) => `Au cours de la dernière minute, sa charge était de ${number(count)}\u202f% de la limite.`,
    atLimit: 'Au-delà de la limite, il refuse les nouveaux appels.',
    advice:
      'Demandez à l’exploitant du service de démarrer un autre processus avec le rôle phone, et de vérifier si des serveurs média ou PostgreSQL répondent lentement.',
  },
  speech: {
    what: 'Voix générée',
    title: 'Voix générée\u202f: limite du compte presque atteinte',
    used: () =>
      'Au cours de la dernière heure, un processus a généré au moins 80\u202f% de la voix autorisée par heure.',
    atLimit:
      'Une fois la limite atteinte, des enregistrements remplacent les phrases personnalisées et les noms des commerçants.',
    advice:
      'Si cela ne suffit pas à vos appelants, demandez à l’exploitant de relever la limite. Sinon, vérifiez si un programme crée des sessions de paiement avec des textes toujours nouveaux.',
  },
};

function certificate({ name, isOver, ...facts }: ShownFacts, ends: (day: string) => string): AttentionTexts {
  const day = facts.day ?? 'jour inconnu';
  return {
    title: isOver ? `Le certificat de ${name} a expiré le ${day}` : `Le certificat de ${name} ${ends(day)}`,
    detail: isOver
      ? 'Les navigateurs, les plateformes vocales et les trunks refusent de se connecter.'
      : 'Ensuite, les navigateurs, les plateformes vocales et les trunks refuseront de se connecter.',
    advice:
      'Demandez à l’exploitant du service de le renouveler et de recharger le serveur qui le présente. Ringkey relit le certificat toutes les heures.',
  };
}

const lastFailure = ({ statusCode, failure }: ShownFacts) => {
  if (statusCode !== null) return `, la dernière avec le code ${statusCode}`;
  return failure === null ? '' : ` : ${failure}`;
};

const items: AttentionLanguage['items'] = {
  charge_to_settle: (facts) => ({
    title: `Débit ${ofSum(facts)}${at(facts)} sans résultat`,
    detail: 'Le prestataire n’a pas indiqué le résultat, et Ringkey ne le vérifie plus.',
    advice: 'Recherchez le débit dans le tableau de bord du prestataire et régularisez-le.',
  }),
  refund_to_settle: (facts) => ({
    title: `Remboursement ${ofSum(facts)}${at(facts)} sans résultat`,
    detail: 'Le prestataire n’a pas indiqué le résultat, et Ringkey ne le vérifie plus.',
    advice: 'Recherchez le remboursement dans le tableau de bord du prestataire et régularisez-le.',
  }),
  hold_change_to_settle: (facts) =>
    facts.name === 'void'
      ? {
          title: `Annulation du blocage ${ofSum(facts)}${at(facts)} sans résultat`,
          detail:
            'Le prestataire n’a pas indiqué s’il a annulé le blocage, et Ringkey ne le vérifie plus. Tant que le résultat est inconnu, le blocage ne peut pas être modifié ici.',
          advice:
            'Relancez l’annulation : Ringkey vérifie alors d’abord le résultat. S’il reste inconnu, consultez le tableau de bord du prestataire.',
        }
      : {
          title: `Encaissement ${ofSum(facts)}${at(facts)} sans résultat`,
          detail:
            'Le prestataire n’a pas indiqué s’il a encaissé le montant bloqué, et Ringkey ne le vérifie plus. Tant que le résultat est inconnu, le blocage ne peut pas être modifié ici.',
          advice:
            'Relancez l’encaissement : Ringkey vérifie alors d’abord le résultat. S’il reste inconnu, consultez le tableau de bord du prestataire.',
        },
  late_charge: (facts) =>
    facts.isDuplicate
      ? {
          title: `Paiement ${ofSum(facts)}${at(facts)} peut-être débité deux fois`,
          detail:
            'Le débit a été signalé comme échoué, mais le prestataire a débité la carte. La même commande a été payée par un autre débit.',
          advice: 'Comparez les deux débits et remboursez l’un d’eux.',
        }
      : {
          title: `Paiement ${ofSum(facts)}${at(facts)} confirmé tardivement`,
          detail:
            'Le débit a été signalé comme échoué, mais le prestataire a débité la carte. L’appelant a peut-être entendu que rien n’a été débité.',
          advice: 'Livrez la commande ou remboursez le débit.',
        },
  refund_failed_late: (facts) => ({
    title: `Le remboursement ${ofSum(facts)}${at(facts)} a échoué`,
    detail: `Il avait d’abord réussi. ${facts.processor} indique maintenant que la banque du payeur ne l’a pas accepté. Le payeur n’a pas récupéré l’argent.`,
    advice: 'Remboursez de nouveau le débit, ou convenez d’un autre moyen avec le payeur.',
  }),
  capture_failed: (facts) => ({
    title: `Paiement ${ofSum(facts)}${at(facts)} non encaissé`,
    detail: `Le débit avait d’abord réussi. ${facts.processor} indique maintenant que l’encaissement a échoué. Rien n’a été débité.`,
    advice: 'Suspendez la commande et demandez de nouveau le paiement.',
  }),
  debit_returned: (facts) => {
    const code = facts.returnCode === null ? '' : ` (${facts.returnCode})`;
    return {
      title: `Prélèvement ${ofSum(facts)}${at(facts)} rejeté`,
      detail: facts.wasRefunded
        ? `La banque l’a rejeté${code} après l’avoir payé, et vous l’aviez remboursé. Le payeur a peut-être reçu l’argent deux fois.`
        : `La banque l’a rejeté${code} après l’avoir payé. La commande est de nouveau considérée comme non payée.`,
      advice:
        'Demandez un autre paiement au payeur. Ne prélevez pas de nouveau sur le compte sans nouvelle autorisation, et jamais après que le payeur a contesté le prélèvement (R05, R07, R10, R29).',
    };
  },
  processor_differs: (facts) => {
    const advice = 'Comparez le débit avec le tableau de bord du prestataire.';
    if (facts.name === 'capture') {
      return {
        title: `Paiement ${ofSum(facts)}${at(facts)} remboursé, mais non encaissé`,
        detail: `${facts.processor} indique que l’encaissement du débit a échoué. Vous aviez remboursé le débit : le payeur a peut-être reçu de l’argent qui n’a jamais été encaissé. Le débit reste tel quel.`,
        advice,
      };
    }
    const what = facts.amount === null ? 'Un remboursement' : `Un remboursement de ${facts.amount}`;
    return {
      title: `${what}${at(facts)} n’est pas enregistré`,
      detail: `${facts.processor} signale un remboursement qui ne correspond pas au débit : il dépasse le montant restant, est dans une autre devise, ou son identifiant est déjà pris. Il n’est pas compté ici.`,
      advice,
    };
  },
  dispute_to_answer: (facts) => {
    const until = facts.day === null ? '' : ` au plus tard le ${facts.day}`;
    const advice = 'Envoyez des preuves dans le tableau de bord du prestataire, ou acceptez-y le litige.';
    return facts.name === 'inquiry'
      ? {
          title: `Répondez à la demande d’informations sur ${facts.amount ?? 'un paiement'}${at(facts)}${until}`,
          detail:
            'La banque du payeur demande des informations sur le paiement. Sans réponse, elle peut reprendre le montant.',
          advice,
        }
      : {
          title: `Répondez au litige ${ofSum(facts)}${at(facts)}${until}`,
          detail: 'La banque du payeur conteste le paiement. Sans réponse, le montant reste au payeur.',
          advice,
        };
  },
  processor_refusing: (facts) => ({
    title: `${facts.processor} refuse des débits${at(facts)}`,
    detail: `${inPeriod(facts)}${number(facts.count)} sur ${charges(facts.of)} ont échoué pour une raison autre que la carte, ou restent sans réponse.`,
    advice:
      'Consultez la page d’état du prestataire, puis vérifiez les identifiants du commerçant et son compte chez ce prestataire.',
  }),
  processor_slow: (facts) => ({
    title: `${facts.processor} est lent${at(facts)}`,
    detail: `${inPeriod(facts)}${number(facts.seconds)} secondes ou plus pour la moitié des débits. Les appelants attendent en ligne.`,
    advice: 'Consultez la page d’état du prestataire.',
  }),
  success_rate_low: (facts) => ({
    title: `${facts.failed} des débits${at(facts)} échouent, contre ${facts.usuallyFailed} d’habitude`,
    detail: `${inPeriod(facts)}${number(facts.count)} sur ${charges(facts.of)} ont échoué${reasons(facts)}. Au cours des sept jours précédant aujourd’hui, ${facts.usuallyFailed} avaient échoué.`,
    advice: CHECK_FAILURES,
  }),
  success_rate_low_for_days: (facts) => ({
    title: `${facts.failed} des débits${at(facts)} ont échoué en ${facts.days === 1 ? 'un jour' : `${facts.days} jours`}, contre ${facts.usuallyFailed} d’habitude`,
    detail: `${inPeriod(facts)}${number(facts.count)} sur ${charges(facts.of)} ont échoué${reasons(facts)}. Au cours des quatre semaines ${facts.usualUntil === null ? 'précédentes' : `précédant le ${facts.usualUntil} (UTC)`}, ${facts.usuallyFailed} avaient échoué.`,
    advice: CHECK_FAILURES,
  }),
  endpoint_failing: (facts) => ({
    title: `L’endpoint de webhook ${facts.name} est en échec`,
    detail: `Au moins les ${number(facts.count)} dernières tentatives ont échoué${lastFailure(facts)}. Ringkey retente l’envoi de chaque événement pendant trois jours.`,
    advice: 'Vérifiez les réponses de l’endpoint et corrigez-le. Vous pouvez renvoyer les événements qu’il a manqués.',
  }),
  event_unsent: (facts) => ({
    title: `L’événement ${facts.name} n’a pas été envoyé`,
    detail: 'Son contenu n’a pas pu être créé : aucun endpoint ne l’a reçu.',
    advice: 'Renvoyez l’événement. S’il échoue encore, signalez-le avec son identifiant.',
  }),
  texts_undelivered: (facts) => ({
    title: facts.count === 1 ? '1 SMS n’a pas été remis' : `${number(facts.count)} SMS n’ont pas été remis`,
    detail: `${inPeriod(facts)}${number(facts.count)} sur ${number(facts.of)} non remis. Il manque peut-être aux appelants un lien de paiement ou un reçu.`,
    advice: 'Vérifiez dans la liste le code d’erreur de l’opérateur mobile pour chaque SMS.',
  }),
  texts_near_limit: () => ({
    title: 'Les SMS approchent de la limite du compte',
    detail:
      'Au moins 80\u202f% de la limite par heure ou par jour est utilisée. Une fois la limite atteinte, aucun lien de paiement n’est envoyé.',
    advice:
      'Si vos appelants ont demandé ces SMS, demandez à l’exploitant de relever la limite. Sinon, renouvelez vos clés API.',
  }),
  emails_undelivered: (facts) => ({
    title:
      facts.count === 1
        ? '1 reçu par e-mail n’a pas été remis'
        : `${number(facts.count)} reçus par e-mail n’ont pas été remis`,
    detail: `${inPeriod(facts)}${number(facts.count)} sur ${number(facts.of)} non remis. Le serveur de messagerie a refusé l’envoi, ou aucun n’est configuré.`,
    advice: 'Vérifiez les paramètres du serveur de messagerie et, dans la liste, le code d’erreur de chaque e-mail.',
  }),
  alerts_undelivered: ({ name, count }) => ({
    title: `Les alertes envoyées à ${name} n’arrivent pas`,
    detail: `Les ${number(count)} dernières tentatives ont échoué.`,
    advice: 'Vérifiez l’adresse ou l’application Slack, et envoyez un message de test.',
  }),
  key_expiring: ({ name, isOver, ...facts }) => {
    const day = facts.day ?? 'jour inconnu';
    return isOver
      ? {
          title: `La clé API ${name} a expiré`,
          detail: `Depuis le ${day}, les requêtes avec cette clé sont refusées.`,
          advice: 'Créez une autre clé si celle-ci était encore utilisée. Sinon, révoquez-la.',
        }
      : {
          title: `La clé API ${name} expire le ${day}`,
          detail: 'Ensuite, les requêtes avec cette clé seront refusées.',
          advice: 'Créez une autre clé et remplacez celle-ci partout où elle est utilisée.',
        };
  },
  limit_near: ({ limit, isOfService, count, of }) => {
    const { what, title, used, atLimit, advice } = LIMITS[limit];
    return {
      title: title ?? `${what} : limite du ${isOfService ? 'service' : 'compte'} presque atteinte`,
      detail: `${used?.(count) ?? `Utilisation : ${number(count)} sur ${number(of)}.`} ${atLimit}`,
      advice,
    };
  },
  key_near_limit: ({ name }) => ({
    title: `La clé API ${name} approche de sa limite de requêtes`,
    detail:
      'Au cours des 15 dernières minutes, elle a utilisé par moments au moins 80\u202f% des requêtes autorisées en deux secondes. Au-delà de la limite, les requêtes reçoivent 429.',
    advice:
      'Répartissez les requêtes, utilisez une clé par programme et attendez les webhooks au lieu d’interroger l’API en boucle.',
  }),
  certificate_expiring: (facts) => certificate(facts, (day) => `expire le ${day}`),
  certificate_ending: (facts) => certificate(facts, (day) => `doit être renouvelé avant le ${day}`),
  media_server_missing: ({ count, of }) => ({
    title: count === 1 ? '1 serveur média est absent' : `${number(count)} serveurs média sont absents`,
    detail:
      count < of
        ? `Il devrait y en avoir ${number(of)}. Les appels passent par les autres. S’il n’en reste aucun, les appels sont refusés.`
        : `Il devrait y en avoir ${number(of)}. Sans serveur média, les appels sont refusés.`,
    advice:
      'Demandez à l’exploitant du service de redémarrer le serveur ou de le retirer du service. « ringkey media list » affiche les serveurs.',
  }),
  sip_server_missing: ({ count }) => ({
    title: count === 1 ? '1 serveur SIP est absent' : `${number(count)} serveurs SIP sont absents`,
    detail:
      'Un processus téléphonique n’a plus de connexion avec lui depuis une minute. Les appels passent par les autres, s’il y en a. Sinon, ils échouent.',
    advice: 'Demandez à l’exploitant du service de redémarrer le serveur ou de vérifier le réseau.',
  }),
  phone_missing: () => ({
    title: 'Aucun processus ne prend les appels',
    detail: 'Aucun processus avec le rôle phone n’est actif : les appels vers la ligne de paiement échouent.',
    advice: 'Demandez à l’exploitant du service d’en démarrer un et de chercher pourquoi aucun n’est actif.',
  }),
  worker_missing: () => ({
    title: 'Aucun worker n’est actif',
    detail:
      'Les webhooks, les SMS et la régularisation des débits en attente sont suspendus jusqu’à ce qu’un worker soit actif.',
    advice: 'Demandez à l’exploitant du service de démarrer un processus avec le rôle worker.',
  }),
};

export const fr: AttentionLanguage = {
  numbers: 'fr',
  days: 'fr',
  payConnector: 'Le connecteur de paiement',
  someProcessor: 'Le prestataire',
  items,
};
