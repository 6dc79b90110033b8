/** Why charges fail, in a word or two: the names of decline codes. Their words for the caller are in `languages/<tag>/agent.ts`. */
import type { DeclineCode } from '../domain/charge.ts';
import type { LanguageTag } from '../languages/index.ts';

/** `none`: the card was not the reason. */
type Words = Readonly<Record<DeclineCode | 'none', string>>;

const en: Words = {
  generic_decline: 'Generic decline',
  do_not_honor: 'Do not honor',
  insufficient_funds: 'Insufficient funds',
  lost_card: 'Lost card',
  stolen_card: 'Stolen card',
  expired_card: 'Expired card',
  incorrect_number: 'Incorrect card number',
  incorrect_cvc: 'Incorrect security code',
  incorrect_expiry: 'Incorrect expiry date',
  incorrect_zip: 'Incorrect ZIP code',
  card_not_supported: 'Card not supported',
  authentication_required: 'Authentication required',
  processing_error: 'Processing error',
  try_again_later: 'Try again later',
  none: 'Other than the card',
};

const de: Words = {
  generic_decline: 'Ohne Angabe von Gründen',
  do_not_honor: 'Zahlung nicht genehmigt',
  insufficient_funds: 'Keine ausreichende Deckung',
  lost_card: 'Karte verloren gemeldet',
  stolen_card: 'Karte gestohlen gemeldet',
  expired_card: 'Karte abgelaufen',
  incorrect_number: 'Falsche Kartennummer',
  incorrect_cvc: 'Falscher Prüfcode',
  incorrect_expiry: 'Falsches Ablaufdatum',
  incorrect_zip: 'Falsche Postleitzahl',
  card_not_supported: 'Karte nicht akzeptiert',
  authentication_required: 'Bestätigung bei der Bank nötig',
  processing_error: 'Verarbeitungsfehler',
  try_again_later: 'Später noch einmal versuchen',
  none: 'Nicht wegen der Karte',
};

const es: Words = {
  generic_decline: 'Rechazo genérico',
  do_not_honor: 'Sin autorización del banco',
  insufficient_funds: 'Fondos insuficientes',
  lost_card: 'Tarjeta perdida',
  stolen_card: 'Tarjeta robada',
  expired_card: 'Tarjeta vencida',
  incorrect_number: 'Número de tarjeta incorrecto',
  incorrect_cvc: 'Código de seguridad incorrecto',
  incorrect_expiry: 'Fecha de vencimiento incorrecta',
  incorrect_zip: 'Código postal incorrecto',
  card_not_supported: 'Tarjeta no aceptada',
  authentication_required: 'Requiere autenticación',
  processing_error: 'Error de procesamiento',
  try_again_later: 'Intentar más tarde',
  none: 'Motivos ajenos a la tarjeta',
};

const fr: Words = {
  generic_decline: 'Refus sans motif',
  do_not_honor: 'Non autorisé par la banque',
  insufficient_funds: 'Provision insuffisante',
  lost_card: 'Carte perdue',
  stolen_card: 'Carte volée',
  expired_card: 'Carte expirée',
  incorrect_number: 'Numéro de carte incorrect',
  incorrect_cvc: 'Code de sécurité incorrect',
  incorrect_expiry: 'Date d’expiration incorrecte',
  incorrect_zip: 'Code postal incorrect',
  card_not_supported: 'Carte non acceptée',
  authentication_required: 'Confirmation par la banque requise',
  processing_error: 'Erreur de traitement',
  try_again_later: 'À réessayer plus tard',
  none: 'Sans rapport avec la carte',
};

const LANGUAGES: Readonly<Record<LanguageTag, Words>> = { en, de, es, fr };

/** By code. `none`: the card was not the reason. */
export const declineWords = (tag: LanguageTag): Words => LANGUAGES[tag];
