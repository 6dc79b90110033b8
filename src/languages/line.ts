/** The sentences of the payment line, each with when it is said. Write them by meaning, in the polite form. */

/** By credit-card-type ID. */
type SpokenBrand =
  | 'visa'
  | 'mastercard'
  | 'american-express'
  | 'discover'
  | 'diners-club'
  | 'jcb'
  | 'unionpay'
  | 'maestro';

/** What a sentence can contain. `percent`: in digits. `brands` is a list: "Visa, Mastercard or Discover". */
type Fact = 'business' | 'amount' | 'brand' | 'brands' | 'minimum' | 'percent' | 'payer' | 'date' | 'phone';

/** A sentence with facts of the call in it. */
export interface Filled<F extends Fact> {
  say: (facts: Record<F, string>) => string;
  /** The same without the facts: it can be recorded, and plays if nothing can be rendered. */
  plain: string;
}

/** A recording has the name of its sentence. */
export interface LineSentences {
  /** First words of every call, before card_number.1. */
  greeting: Filled<'business' | 'amount'>;
  /** Last words of a greeting in the merchant's other language. The key nine then greets again in this one. */
  other_language: string;
  /**
   * First words of a call to a number whose caller has payments waiting at several merchants, and again at every
   * attempt. choose_merchant.1, choose_merchant.2 and perhaps choose_merchant.3 follow.
   */
  'choose_merchant.ask': string;
  /** The merchant of the latest payment request. */
  'choose_merchant.1': Filled<'business'>;
  /** The merchant of the request before that one. */
  'choose_merchant.2': Filled<'business'>;
  /** The merchant of the request before those two. */
  'choose_merchant.3': Filled<'business'>;
  /** Before greeting, if the checkout had a call before. */
  welcome_back: string;
  /** First attempt, and again after starting over. */
  'card_number.1': string;
  /** Second attempt. */
  'card_number.2': string;
  /** Third attempt. way_out follows. */
  'card_number.3': string;
  /** After a card that can't be used here, or that the bank declined. */
  'card_number.another': string;
  /** After declined_elsewhere.page, and after link_good. way_out may follow. */
  'card_number.instead': string;
  /** First attempt. */
  'expiry.1': string;
  /** Second attempt, with an example. */
  'expiry.2': string;
  /** Third attempt. way_out follows. */
  'expiry.3': string;
  /** The bank doubts the date. */
  'expiry.doubted': string;
  /** First attempt, for all cards but American Express. */
  'security_code.back.1': string;
  /** Second attempt: where to look. */
  'security_code.back.2': string;
  /** Third attempt. way_out follows. */
  'security_code.back.3': string;
  /** The bank doubts the code. */
  'security_code.back.doubted': string;
  /** First attempt, for American Express. */
  'security_code.front.1': string;
  /** Second attempt: where to look. */
  'security_code.front.2': string;
  /** Third attempt. way_out follows. */
  'security_code.front.3': string;
  /** The bank doubts the code. */
  'security_code.front.doubted': string;
  /** First attempt. */
  'postal_code.1': string;
  /** Second attempt: how to end a short one. */
  'postal_code.2': string;
  /** Third attempt. way_out follows. */
  'postal_code.3': string;
  /** The bank doubts the postal code. */
  'postal_code.doubted': string;
  /** After the card was entered, if the merchant takes parts, at every attempt. */
  'part.ask': Filled<'amount'>;
  /** After the key two. part_amount.point follows, if the currency has decimals. */
  'part_amount.ask': Filled<'minimum'>;
  'part_amount.point': string;
  /** After the card was entered, if the merchant offers tips, at every attempt. tip.1, perhaps tip.2 and tip.3, and tip.none follow. */
  'tip.ask': string;
  /** The first tip and its amount. As a recording, the digits of the percentage come before it. */
  'tip.1': Filled<'percent' | 'amount'>;
  'tip.2': Filled<'percent' | 'amount'>;
  'tip.3': Filled<'percent' | 'amount'>;
  /** After the tips. Silence means the same. */
  'tip.none': string;
  /**
   * First attempt, after the card was entered, if the merchant saves cards. keep_card.pay follows. The key one is a
   * consent, which is stored with these words.
   */
  'keep_card.1': string;
  /** Second attempt. keep_card.pay follows. */
  'keep_card.2': string;
  /** Third attempt. keep_card.pay and way_out follow. */
  'keep_card.3': string;
  /** After the merchant's own sentence about what the caller agrees to. keep_card.pay follows. */
  'keep_card.agree': string;
  /** After keep_card.1 to 3, or keep_card.agree. Silence means the same. */
  'keep_card.pay': string;
  /** Before the last four digits, which are said one by one. */
  'confirmation.card': string;
  /** After the last four digits. */
  'confirmation.pay': Filled<'amount'>;
  /** After confirmation.pay. */
  'confirmation.change': string;
  /** After confirmation.change, if the merchant saves cards. The key three is a consent, stored with these words. */
  'confirmation.keep': string;
  /** Last words of a confirmation, if the merchant takes parts. */
  'confirmation.amount': string;
  /** Last words of a confirmation, if the merchant offers tips, and takes no parts. */
  'confirmation.tip': string;
  /**
   * The caller's first saved card, before its last four digits, which are said one by one. card_number.instead or
   * saved_card.2 follows.
   */
  'saved_card.1': Filled<'brand'>;
  'saved_card.2': Filled<'brand'>;
  'saved_card.3': Filled<'brand'>;
  'saved_card.4': Filled<'brand'>;
  'saved_card.5': Filled<'brand'>;
  /** First attempt, if the caller has several saved cards. card_number.instead follows. */
  'saved_card.all': string;
  /** After the list of saved cards. */
  'saved_card.or_star': string;
  /**
   * The saved card was deleted or has expired since it was offered, or can't be used on this call. card_number.1
   * follows.
   */
  'saved_card.unusable': string;
  /** First attempt, after the greeting, if the caller can also pay from a bank account. */
  'method.1': string;
  /** Second attempt, and after a bank account that can't be used. */
  'method.2': string;
  /** Third attempt. way_out follows. */
  'method.3': string;
  /** First attempt. */
  'routing_number.1': string;
  /** Second attempt: where to look. */
  'routing_number.2': string;
  /** Third attempt. way_out follows. */
  'routing_number.3': string;
  /** First attempt. */
  'account_number.1': string;
  /** Second attempt: where to look. */
  'account_number.2': string;
  /** Third attempt. way_out follows. */
  'account_number.3': string;
  /** First attempt. */
  'account_number_again.1': string;
  /** Second attempt. */
  'account_number_again.2': string;
  /** Third attempt. way_out follows. */
  'account_number_again.3': string;
  /** First attempt. */
  'account_type.1': string;
  /** Second attempt. */
  'account_type.2': string;
  /** Third attempt. way_out follows. */
  'account_type.3': string;
  /**
   * What the caller authorizes, as Nacha asks for a telephone-initiated entry: date, name, merchant, amount, one debit.
   * debit.checking or debit.savings follows. The key one after debit.agree is stored with all these words.
   */
  'debit.terms': Filled<'payer' | 'business' | 'amount' | 'date'>;
  'debit.checking': string;
  'debit.savings': string;
  /** Before the last four digits of the account, which are said one by one. */
  'debit.ending': string;
  /** The number for questions, and to revoke the authorization. */
  'debit.questions': Filled<'phone'>;
  /** After debit.questions. */
  'debit.agree': string;
  /** After a third attempt or a decline, if there is an agent to return to. */
  way_out: string;
  /** After a second or third attempt or a decline, if the pay link can be texted. way_out may follow. */
  offer_link: string;
  /** No key in ten seconds. */
  'again.nothing_keyed': string;
  /** Too few digits, then silence or the pound key. */
  'again.incomplete': string;
  /** A card number that fails the Luhn check or belongs to no network. */
  'again.number': string;
  /** A routing number that fails its check digit or belongs to no bank. */
  'again.routing_number': string;
  /** The account number was not the same the second time. account_number.1 follows. */
  'again.numbers_differ': string;
  /** A month that does not exist, or a year far ahead. */
  'again.date': string;
  /** Any other key than one or two. */
  'again.choice': string;
  /** Any other key than one, two or three. */
  'again.choice_of_three': string;
  /** A part that is smaller than the merchant takes. part_amount.ask follows. */
  'again.below_minimum': Filled<'minimum'>;
  /** A part that is larger than the amount due. part_amount.ask follows. */
  'again.above_total': Filled<'amount'>;
  /** A key that the question for a tip, or a confirmation with four keys, does not offer. */
  'again.no_such_key': string;
  /** At the list of saved cards: a key without a card. The list follows. */
  'again.listed': string;
  /** At the list of merchants: a key without a merchant. The question follows. */
  'again.merchant': string;
  /** An expiration date before this month. */
  'again.in_the_past': string;
  /** A network that the merchant does not accept. */
  'again.card_not_accepted': Filled<'brands'>;
  /** After one star. */
  'again.started_over': string;
  /** The security code, after the bank doubted another field. */
  'again.needed_again': string;
  /** After pound twice, if no link can be texted now. The question follows. */
  'again.link_not_sent': string;
  /** Instead of greeting, if the call only saves a card. */
  'saving.greeting': Filled<'business'>;
  /** Instead of keep_card.pay: the caller does not agree. */
  'saving.no': string;
  /** Instead of succeeded and stands.succeeded. */
  'saving.saved': Filled<'business'>;
  /** Instead of unconfirmed, still_confirming, paying_elsewhere.other and stands.pending. */
  'saving.unconfirmed': string;
  /** Instead of already_paid. */
  'saving.already': string;
  /** Instead of expired. */
  'saving.expired': string;
  /** Instead of canceled: star twice, or the key two after saving.no. */
  'saving.canceled': string;
  /** Instead of unavailable and merchant_fault. */
  'saving.unavailable': string;
  /** Instead of receipt. */
  'saving.text': string;
  /** The bank declined. Its reason is between the bank and the caller. */
  'declined.bank': string;
  /** The bank does not know the number. */
  'declined.card_number': string;
  /** The bank doubts the date, or the card has expired. */
  'declined.expiry': string;
  /** The bank doubts the security code. */
  'declined.security_code': string;
  /** The bank doubts the postal code. */
  'declined.postal_code': string;
  /** The bank account was refused. method.2 may follow. */
  'declined.account': string;
  /** The card is not meant for this kind of payment. */
  'declined.kind': string;
  /** The bank or the network had an error. */
  'declined.later': string;
  /** The charge has been sent. */
  one_moment: string;
  /** Every eight seconds until the outcome is known. */
  still_working: string;
  /** Once, when the caller has opened the texted link and has not started to enter a card. */
  page_opened: string;
  /** After ten seconds without a key, while the caller may be busy on the page. */
  page_patience: string;
  /** The caller has pressed Pay on the page. The line asks nothing until the outcome is known. */
  'paying_elsewhere.page': string;
  /** Another payment of the checkout is in progress: the agent's with a saved card, or one of an earlier call. */
  'paying_elsewhere.other': string;
  /** Every eight seconds after paying_elsewhere.page, until the outcome is known. */
  waiting_for_page: string;
  /** Instead of it, while the bank asks the payer to confirm the payment on the page. */
  waiting_for_bank: string;
  /** That payment succeeded. succeeded follows. */
  paid_elsewhere: string;
  /** The payment on the page was declined. card_number.instead follows. */
  'declined_elsewhere.page': string;
  /** The other payment was declined. card_number.1 follows. */
  'declined_elsewhere.other': string;
  /** The pay link is sent. Before the last two digits of the number, which are said one by one. */
  'link_sent.number': string;
  /** After link_sent.number and its digits. */
  'link_sent.stay': string;
  /** Once, when the caller has opened the link, while the line waits. */
  link_opened: string;
  /** Every twenty seconds until the link is opened. */
  'link_waiting.text': string;
  /** Every twenty seconds while the page is open. */
  'link_waiting.page': string;
  /**
   * After declined_elsewhere.other, if the link was texted on this call; after welcome_back and greeting, if it was
   * texted before. card_number.instead may follow.
   */
  link_good: string;
  /** The payment succeeded. */
  succeeded: Filled<'amount' | 'business'>;
  /** Instead of succeeded, with manual capture: the amount is held and not taken. */
  held: Filled<'amount' | 'business'>;
  /** The bank debit was accepted, and is pending for days. text_follows may follow. */
  debited: Filled<'amount' | 'business'>;
  /** After succeeded or held, if the caller wanted the card saved and it was. */
  card_kept: string;
  /** After succeeded and stands.succeeded, if a text can be sent. */
  receipt: string;
  /** The outcome is unknown. */
  unconfirmed: string;
  /** An earlier payment of this checkout or its order has no outcome yet. */
  still_confirming: string;
  /** After unconfirmed, still_confirming and stands.pending, if a text can be sent. */
  text_follows: string;
  /** Three attempts without a key. */
  'gave_up.no_input': string;
  /** Three attempts that failed. */
  'gave_up.invalid_input': string;
  /**
   * Three failed attempts to choose a merchant. goodbye follows, because there is no agent yet. It does not mention
   * charges: an earlier call may have one pending.
   */
  'gave_up.no_choice': string;
  /** The third card or attempt was declined. */
  'gave_up.declined': string;
  /** Star twice. */
  canceled: string;
  /** The merchant's side ended the call, and nothing was paid on it. */
  'call_ended.unpaid': string;
  /**
   * The merchant's side ended the call while a card was being charged. After the sentence of the decline, which says
   * that nothing was charged.
   */
  'call_ended.declined': string;
  /** Star twice, or the line shuts down, after the link was texted. */
  'link_stays.asked': string;
  /** After five minutes of waiting beside the texted link. */
  'link_stays.no_payment': string;
  /** The merchant's side ended the call after the link was texted. */
  'link_stays.ended': string;
  /** The checkout has expired. */
  expired: string;
  /** The checkout was paid another way. */
  already_paid: string;
  /** The amount of the checkout or its order is already held. */
  already_held: string;
  /** Instead of already_paid, if a part was paid. `amount`: what is left. */
  'already_paid.part': Filled<'amount' | 'business'>;
  /** Too many attempts were declined: no other is possible for a while. */
  too_many_attempts: string;
  /** Ringkey can't take payments now. */
  unavailable: string;
  /** The processor rejects all payments of this merchant, so another card would not help. */
  merchant_fault: string;
  /**
   * At the list of merchants: the chosen payment is on another call or had too many calls, the line shuts down, or the
   * merchant's side ends the call. goodbye follows. It does not mention charges: another call may have one pending.
   */
  session_not_taken: string;
  /** All that a caller without a checkout hears, if the operator has enabled the notice. goodbye follows. */
  no_payment_waiting: string;
  /** Instead of the first question, if the processor does not accept keyed cards. */
  keypad_unavailable: string;
  /** Last words before the agent. */
  hand_over: string;
  /** Last words if there is no agent. */
  goodbye: string;
  /** The agent could not be reached. The state of the payment follows. */
  no_agent: string;
  /** After no_agent. */
  'stands.succeeded': string;
  /** Instead of it, with manual capture. */
  'stands.held': string;
  /** After no_agent. */
  'stands.pending': string;
  /** After no_agent, if the link was texted. */
  'stands.link': string;
  /** After no_agent. */
  'stands.nothing_charged': string;
}

export interface LineWords {
  /** Before the last of several card brands. */
  or: string;
  brands: Record<SpokenBrand, string>;
  sentences: LineSentences;
}
