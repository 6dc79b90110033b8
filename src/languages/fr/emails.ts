import type { EmailWords } from '../emails.ts';

export const emails: EmailWords = {
  receipt: (business, amount) => ({
    subject: `Votre reçu de ${business} : ${amount}`,
    heading: 'Payé',
    text: `Merci. ${business} a reçu votre paiement.`,
  }),
  hold: (business, amount) => ({
    subject: `${business} : blocage de ${amount} sur votre carte`,
    heading: 'Montant bloqué',
    text: `Nous avons bloqué ${amount} sur votre carte pour ${business}. Rien n’a encore été débité.`,
  }),
  not_charged: (business, amount) => ({
    subject: `${business} : votre paiement de ${amount} n’a pas abouti`,
    heading: 'Non payé',
    text: `Votre paiement à ${business} n’a pas abouti. Rien n’a été débité.`,
  }),
  late_receipt: (business, amount) => ({
    subject: `${business} : votre paiement de ${amount} a finalement été débité`,
    heading: 'Finalement payé',
    text: `Nous vous avons dit que votre paiement avait échoué, mais il a été débité. Ne payez pas une seconde fois. Si vous avez payé autrement, contactez ${business}.`,
  }),
  debit_returned: (business, amount) => ({
    subject: `${business} : votre banque a rejeté votre paiement de ${amount}`,
    heading: 'Rejeté par votre banque',
    text: `Votre banque a rejeté le prélèvement pour votre paiement à ${business}. Le montant reste donc à payer.`,
  }),
  not_collected: (business, amount) => ({
    subject: `${business} : votre paiement de ${amount} n’a pas pu être encaissé`,
    heading: 'Non payé',
    text: `Nous vous avons confirmé votre paiement à ${business}, mais il n’a finalement pas pu être encaissé. Rien n’a été débité, le montant reste donc à payer.`,
  }),
  card_saved: (business) => ({
    subject: `${business} : votre carte est enregistrée`,
    heading: 'Carte enregistrée',
    text: `Votre carte est enregistrée pour ${business}. Vous n’avez pas été débité. Pour la faire supprimer, contactez ${business}.`,
  }),
  card_not_saved: (business) => ({
    subject: `${business} : votre carte n’a pas été enregistrée`,
    heading: 'Carte non enregistrée',
    text: `Votre carte n’a pas pu être enregistrée pour ${business}. Vous n’avez pas été débité.`,
  }),
  tip: 'dont pourboire',
  row: (label, value) => `${label} : ${value}`,
  footer: (business) => `Vous recevez cet e-mail parce que vous avez donné votre adresse à ${business} pour un reçu.`,
};
