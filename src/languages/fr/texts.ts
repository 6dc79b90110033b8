import { ifKnown, type TextWords } from '../texts.ts';

export const texts: TextWords = {
  card: (brand, lastFour) => `${brand ?? 'carte'} se terminant par ${lastFour}`,
  with_tip: ({ amount, tip }) => `${amount} (dont ${tip} de pourboire)`,
  with_remaining: ({ amount, remaining }) => `${amount} (reste ${remaining} à payer)`,
  account: (lastFour) => (lastFour === null ? 'compte bancaire' : `compte bancaire se terminant par ${lastFour}`),
  debit_terms: ({ business, amount, account, payer, phone, when }) =>
    `${business} : le ${when}, ${payer} a autorisé un prélèvement de ${amount} sur le ${account}, ce jour ou plus tard. Il reste en attente du règlement par la banque, dans quelques jours. Questions ou révocation : ${phone}. Répondez STOP pour vous désabonner.`,
  debit_returned: ({ business, amount, account, order, when, phone }) =>
    `${business} : votre banque a rejeté le prélèvement de ${amount}${ifKnown(' pour la commande ', order)} (${when}) sur le ${account}. Il n'est pas réglé.${ifKnown(' Questions : ', phone, '.')} Répondez STOP pour ne plus rien recevoir.`,
  receipt: ({ business, amount, card, order, when }) =>
    `${business} : paiement de ${amount}${ifKnown(' par ', card)}.${ifKnown(' Commande ', order, '.')} ${when}. Répondez STOP pour ne plus rien recevoir.`,
  hold: ({ business, amount, card, order, when }) =>
    `${business} : montant de ${amount} bloqué${ifKnown(' sur votre ', card)}. Rien n'a encore été débité.${ifKnown(' Commande ', order, '.')} ${when}. Répondez STOP pour ne plus rien recevoir.`,
  card_saved: ({ business, card }) =>
    `${business} : votre carte est enregistrée${ifKnown(' (', card, ')')}. Rien n'a été débité. Pour la supprimer, contactez ${business}. Répondez STOP pour ne plus rien recevoir.`,
  card_not_saved: ({ business, when }) =>
    `${business} : votre carte n'a pas été enregistrée (${when}). Rien n'a été débité. Répondez STOP pour ne plus rien recevoir.`,
  not_charged: ({ business, amount, order, when }) =>
    `${business} : votre paiement de ${amount}${ifKnown(' pour la commande ', order)} (${when}) n'a pas abouti. Rien n'a été débité. Répondez STOP pour ne plus rien recevoir.`,
  not_collected: ({ business, amount, order, when }) =>
    `${business} : votre paiement de ${amount}${ifKnown(' pour la commande ', order)} (${when}) n'a finalement pas abouti. Rien n'a été débité, le montant reste donc à payer. Répondez STOP pour ne plus rien recevoir.`,
  late_receipt: ({ business, amount, card, order, when }) =>
    `${business} : votre paiement de ${amount}${ifKnown(' pour la commande ', order)} (${when}) a finalement été débité${ifKnown(' sur votre ', card)}. Ne payez pas une seconde fois. Si vous avez payé autrement, contactez ${business}. Répondez STOP pour ne plus rien recevoir.`,
  pay_link: ({ business, amount, link }) =>
    `${business} : payez ${amount} sur ${link} Répondez STOP pour ne plus rien recevoir.`,
  save_link: ({ business, link }) =>
    `${business} : enregistrez votre carte sur ${link} Répondez STOP pour ne plus rien recevoir.`,
  page_code: ({ business, code }) =>
    `${business} : ${code} est votre code pour la page de paiement. Ne le donnez à personne.`,
};
