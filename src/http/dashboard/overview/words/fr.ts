/** French words of the overview. */
import { numberText, plural } from '../../words/formats.ts';
import type { OverviewWords } from './en.ts';

const pointsText = (points: number) => plural(points, { one: '# point', other: '# points' });

const daysBefore = (days: number) => (days === 1 ? 'le jour précédent' : `les ${days} jours précédents`);
const onDaysBefore = (days: number) => (days === 1 ? daysBefore(days) : `sur ${daysBefore(days)}`);
const toDaysBefore = (days: number) => (days === 1 ? 'au jour précédent' : `aux ${days} jours précédents`);
const rangeText = (from: string, to: string) => (from === to ? `le ${from}` : `du ${from} au ${to}`);

export const fr: OverviewWords = {
  title: 'Vue d’ensemble',
  lead: (first, days, before, place) =>
    `Depuis le ${first}, par rapport ${toDaysBefore(days)} : ${rangeText(...before)}, jusqu’à la même heure. Fuseau horaire : ${place}.`,
  leadOfDays: (first, last, days, before, place) =>
    `${first === last ? `Le ${first}` : `Du ${first} au ${last}`}, par rapport ${toDaysBefore(days)} : ${rangeText(...before)}. Fuseau horaire : ${place}.`,
  filters: 'Période et commerçant',
  period: 'Période',
  periods: {
    '7': '7 derniers jours',
    '30': '30 derniers jours',
    '90': '90 derniers jours',
    this_month: 'Ce mois-ci',
    last_month: 'Le mois dernier',
  },
  chosenDays: 'Jours choisis',
  daysIn: 'Fuseau horaire',
  merchant: 'Commerçant',
  all: 'Tous',
  apply: 'Appliquer',
  empty: {
    title: 'Aucune donnée pour l’instant',
    text: 'Les paiements, le taux de réussite et les étapes des appels apparaissent ici dès qu’il y a des appels dans cette période.',
    action: 'Premiers pas',
  },
  figures: {
    label: 'Chiffres',
    payments: 'Paiements',
    net: (currency) => `Net, ${currency}`,
    netOf: (gross, refunded) => `Brut : ${gross}, remboursé : ${refunded}`,
    rate: 'Taux de réussite',
    rateOf: (succeeded, completed) =>
      `${numberText(succeeded)} sur ${plural(completed, { one: '# débit terminé', other: '# débits terminés' })}`,
    time: 'Durée jusqu’au paiement',
    timeOf: 'Durée médiane entre la prise de l’appel et le débit',
  },
  change: {
    alsoNone: (days) => `Aucun non plus ${onDaysBefore(days)}`,
    noneBefore: (days) => `Aucun ${onDaysBefore(days)}`,
    same: (days) => `Identique ${toDaysBefore(days)}`,
    more: (percent, days) => `${percent} de plus que ${onDaysBefore(days)}`,
    less: (percent, days) => `${percent} de moins que ${onDaysBefore(days)}`,
    noData: 'Aucune donnée pour cette période',
    noDataBefore: (days) => `Aucune donnée pour ${daysBefore(days)}`,
    higher: (points, days) => `${pointsText(points)} de plus que ${onDaysBefore(days)}`,
    lower: (points, days) => `${pointsText(points)} de moins que ${onDaysBefore(days)}`,
    slower: (seconds, days) => `${seconds} s de plus que ${onDaysBefore(days)}`,
    faster: (seconds, days) => `${seconds} s de moins que ${onDaysBefore(days)}`,
  },
  chart: {
    title: 'Débits par jour',
    weeksTitle: 'Débits par semaine',
    days: (from, to) => `Du ${from} au ${to}`,
    succeeded: 'Réussis',
    failed: 'Échoués',
    todaySoFar: 'Aujourd’hui, en cours',
    currentWeek: 'Semaine en cours',
    soFar: (day) => `${day}, en cours`,
    net: (amount) => `Net : ${amount}`,
    failedShare: (failed, percent) => `${plural(failed, { one: '# échoué', other: '# échoués' })} (${percent})`,
    table: 'Afficher sous forme de tableau',
    tableLabel: 'Débits par jour, du plus récent au plus ancien',
    day: 'Jour',
    dayNotOver: 'en cours',
  },
  counts: {
    succeeded: (count) => plural(count, { one: '# réussi', other: '# réussis' }),
    failed: (count) => plural(count, { one: '# échoué', other: '# échoués' }),
  },
  heads: { succeeded: 'Réussis', failed: 'Échoués', gross: 'Brut', refunded: 'Remboursé', net: 'Net' },
  funnel: {
    title: 'Parcours des appels',
    ofAll: 'Étapes des appels terminés',
    some: 'Étapes de certains appels',
    ofSome: 'Étapes que seuls certains appels comportent',
    step: 'Étape',
    share: 'Part',
    calls: 'Appels',
    lost: 'Abandons',
    none: 'Aucun',
    count: (calls) => plural(calls, { one: '# appel', other: '# appels' }),
    ofCalls: (reached, all) => `${numberText(reached)} sur ${plural(all, { one: '# appel', other: '# appels' })}`,
    saved: (calls) => plural(calls, { one: '# a enregistré une carte', other: '# ont enregistré une carte' }),
    left: {
      answered: (calls, percent) => `${numberText(calls)} sans aucune question (${percent})`,
      charge: (calls, percent) => `${plural(calls, { one: '# non payé', other: '# non payés' })} (${percent})`,
      returned: (calls, percent) => `${numberText(calls)} sans retour à l’agent (${percent})`,
      other: (calls, percent) => `${plural(calls, { one: '# terminé ici', other: '# terminés ici' })} (${percent})`,
    },
  },
  steps: {
    answered: 'Appel pris',
    method: 'Moyen de paiement demandé',
    saved_card: 'Carte enregistrée proposée',
    card_number: 'Numéro de carte demandé',
    expiry: 'Date d’expiration demandée',
    security_code: 'Code de sécurité demandé',
    postal_code: 'Code postal demandé',
    part: 'Paiement partiel proposé',
    part_amount: 'Montant partiel demandé',
    tip: 'Pourboire proposé',
    routing_number: 'Numéro d’acheminement demandé',
    account_number: 'Numéro de compte demandé',
    account_number_again: 'Numéro de compte redemandé',
    account_type: 'Type de compte demandé',
    debit_terms: 'Autorisation de prélèvement demandée',
    keep_card: 'Enregistrement de la carte proposé',
    confirmation: 'Confirmation demandée',
    charge: 'Carte débitée',
    returned: 'Retour à l’agent',
  },
  declines: {
    title: 'Motifs d’échec des débits',
    none: 'Aucun débit échoué.',
    label: 'Motifs des débits échoués',
    reason: 'Motif',
    share: 'Part',
    charges: 'Débits',
    count: (charges) => plural(charges, { one: '# débit', other: '# débits' }),
  },
  merchants: { title: 'Par commerçant', label: 'Commerçants, du plus grand nombre de débits au plus petit' },
};
