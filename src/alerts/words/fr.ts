/** French words of messages. */
import type { AlertTexts } from './en.ts';
import { alertFormats } from './formats.ts';

const { number, plural } = alertFormats('fr');

export const fr: AlertTexts = {
  subject: (from, heading) => `${from}\u202f: ${heading}`,
  testMode: (account) => `${account}, mode test`,
  labeled: (label, value) => `${label}\u202f: ${value}`,
  why: 'Vous recevez cet e-mail parce que vous avez activé les alertes.',
  settings: 'Régler les alertes',
  open: 'Ouvrir dans le tableau de bord',
  more: (count) => plural(count, { one: '# autre', other: '# autres' }),
  showAll: 'Afficher tous les points à traiter',
  urgent: (title) => `Urgent\u202f: ${title}`,
  problems: (count) => plural(count, { one: '# problème à traiter', other: '# problèmes à traiter' }),
  resolvedItem: (title) => `Résolu\u202f: ${title}`,
  resolvedCount: (count) => plural(count, { one: '# problème résolu', other: '# problèmes résolus' }),
  resolved: 'Résolu',
  nothingMore: { title: 'Il n’y a plus rien à faire', text: 'La cause a disparu.' },
  test: {
    heading: 'Message de test',
    title: 'Les alertes arrivent ici',
    text: 'Voici à quoi ressemble un message. Il n’y a rien à faire.',
    show: 'Afficher les points à traiter',
  },
  summary: {
    heading: (day) => `Résumé du ${day}`,
    title: 'Appels et paiements',
    calls: 'Appels',
    noCalls: 'Aucun',
    ofCalls: (calls, paid) => `${number(calls)}, dont ${number(paid)} avec paiement`,
    rate: 'Débits réussis',
    ofCharges: (succeeded, all, rate) => `${number(succeeded)} sur ${number(all)}, ${rate}`,
    ofChargesWithUsual: (succeeded, all, rate, usual) =>
      `${number(succeeded)} sur ${number(all)}, ${rate} (${usual} la semaine précédente)`,
    open: 'Ouvrir la vue d’ensemble',
    attention: 'À traiter',
    nothing: 'Rien',
    show: 'Voir ce qu’il faut faire',
  },
  inCurrency: (label, currency) => `${label}, ${currency}`,
  money: { payments: 'Paiements', refunded: 'Remboursé', net: 'Net' },
  ofPayments: (count, amount) => `${amount} (${number(count)})`,
  report: {
    heading: (month) => `Rapport mensuel, ${month}`,
    open: 'Ouvrir le rapport',
    notCounted: 'Le rapport n’a pas pu être calculé. Il s’ouvrira peut-être dans le tableau de bord.',
    none: 'Ni paiement, ni remboursement, ni litige, ni virement',
    disputed: 'Contesté',
    ofDisputes: (amount, lost) => `${amount}, dont perdu\u202f: ${lost}`,
    paidOut: 'Versé',
    afterFees: (amount, fees) => `${amount}, après ${fees} de frais`,
    shared: (paid, shared, payouts) =>
      `${paid} (${number(shared)} sur ${number(payouts)} virements partagés avec d’autres commerçants)`,
  },
};
