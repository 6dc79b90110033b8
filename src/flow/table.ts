/**
 * The conversation's state table: what every event does in every state, on one page. `ignore` is a decision: an event
 * that no longer matters (a late answer, a key during the goodbye) changes nothing. The types require an entry for
 * every cell.
 */
import { byLinkPromptEnded, declinedWhileByLink, goneByLink, openedByLink, stillByLink } from './by-link.ts';
import {
  answerCame,
  elsewhereWhileCharging,
  goneWhileCharging,
  neverSettled,
  refusedBeforeCharge,
  refusedByLink,
  sentenceEnded,
  settled,
  stillWorking,
  unconfirmedWhileCharging,
} from './charging.ts';
import { fellSilent, goneBeforeCharge, greet, keyBeforeAnswer, keyPressed, promptEnded } from './collect.ts';
import {
  anotherPaying,
  declinedBeforeCharge,
  goneWhileWaiting,
  keyWhileWaiting,
  pageOpened,
  paidBeforeCharge,
  payingBeforeCharge,
  refusedWhileWaiting,
  resultCame,
  stillWaiting,
  unconfirmedBeforeCharge,
  unconfirmedWhileWaiting,
  waitingPromptEnded,
} from './elsewhere.ts';
import { endLater, endNow, endOnceClaimed, endWhileChoosing } from './end-request.ts';
import type { FlowEvent } from './events.ts';
import {
  backWithAgent,
  goneWhileLeaving,
  goodbyeEnded,
  lastSentenceEnded,
  linkWhileLeaving,
  noWayBack,
  paidDuringGoodbye,
  paidWhileLeaving,
  payingWhileLeaving,
} from './leaving.ts';
import { keyByLink } from './link-keys.ts';
import {
  askMerchant,
  choicePromptEnded,
  claimPromptEnded,
  goneWhileChoosing,
  keyWhileChoosing,
  nothingChosen,
  refusedWhileChoosing,
  sessionClaimed,
  sessionNotClaimed,
  stillClaiming,
} from './merchant-choice.ts';
import {
  declinedWhileSending,
  keepLink,
  linkAnswered,
  openedWhileSending,
  sendingPromptEnded,
  stillSending,
  textNotDelivered,
} from './sending-link.ts';
import type { EventOf, EventType, Kind, State, StateOf, Step } from './state.ts';

export { startMerchantChoice } from './merchant-choice.ts';
export { type State, type Step, startConversation, wipeState } from './state.ts';

type Table = { [K in Kind]: { [T in EventType]: (state: StateOf<K>, event: EventOf<T>) => Step } };

const ignore = (state: State): Step => ({ state, effects: [] });

// biome-ignore format: a table is read by rows and columns
export const TABLE: Table = {
  choosing_merchant: {
    answered: askMerchant,   key: keyWhileChoosing,     prompt_ended: choicePromptEnded, silence: nothingChosen,
    debited: ignore,
    paid: ignore,            declined: ignore,          unconfirmed: ignore,            refused: refusedWhileChoosing,
    saved_card_unusable: ignore,
    link: ignore,            page_opened: ignore,       paying_elsewhere: ignore,
    paid_elsewhere: ignore,  declined_elsewhere: ignore,
    session_claimed: ignore, session_not_claimed: ignore,
    end_requested: endWhileChoosing,
    returned: ignore,        return_failed: ignore,     hung_up: goneWhileChoosing,     media_lost: goneWhileChoosing,
  },
  claiming_session: {
    answered: ignore,        key: ignore,               prompt_ended: claimPromptEnded, silence: stillClaiming,
    debited: ignore,
    paid: ignore,            declined: ignore,          unconfirmed: ignore,            refused: ignore,
    saved_card_unusable: ignore,
    link: ignore,            page_opened: ignore,       paying_elsewhere: ignore,
    paid_elsewhere: ignore,  declined_elsewhere: ignore,
    session_claimed: sessionClaimed,    session_not_claimed: sessionNotClaimed,
    end_requested: endOnceClaimed,
    returned: ignore,        return_failed: ignore,     hung_up: goneWhileChoosing,     media_lost: goneWhileChoosing,
  },
  ringing: {
    answered: greet,         key: keyBeforeAnswer,      prompt_ended: ignore,           silence: ignore,
    debited: ignore,
    paid: ignore,            declined: ignore,
    unconfirmed: unconfirmedBeforeCharge, refused: refusedBeforeCharge,
    saved_card_unusable: ignore,
    link: ignore,            page_opened: ignore,       paying_elsewhere: payingBeforeCharge,
    paid_elsewhere: paidBeforeCharge,   declined_elsewhere: ignore,
    session_claimed: ignore, session_not_claimed: ignore,
    end_requested: endLater,
    returned: ignore,        return_failed: ignore,     hung_up: goneBeforeCharge,      media_lost: goneBeforeCharge,
  },
  collecting: {
    answered: ignore,        key: keyPressed,           prompt_ended: promptEnded,      silence: fellSilent,
    debited: ignore,
    paid: ignore,            declined: ignore,
    unconfirmed: unconfirmedBeforeCharge, refused: refusedBeforeCharge,
    saved_card_unusable: ignore,
    link: keepLink,          page_opened: pageOpened,   paying_elsewhere: payingBeforeCharge,
    paid_elsewhere: paidBeforeCharge,   declined_elsewhere: declinedBeforeCharge,
    session_claimed: ignore, session_not_claimed: ignore,
    end_requested: endNow,
    returned: ignore,        return_failed: ignore,     hung_up: goneBeforeCharge,      media_lost: goneBeforeCharge,
  },
  sending_link: {
    answered: ignore,        key: keyByLink,            prompt_ended: sendingPromptEnded, silence: stillSending,
    debited: ignore,
    paid: ignore,            declined: ignore,
    unconfirmed: unconfirmedBeforeCharge, refused: refusedBeforeCharge,
    saved_card_unusable: ignore,
    link: linkAnswered,      page_opened: openedWhileSending, paying_elsewhere: payingBeforeCharge,
    paid_elsewhere: paidBeforeCharge,   declined_elsewhere: declinedWhileSending,
    session_claimed: ignore, session_not_claimed: ignore,
    end_requested: endNow,
    returned: ignore,        return_failed: ignore,     hung_up: goneBeforeCharge,      media_lost: goneBeforeCharge,
  },
  by_link: {
    answered: ignore,        key: keyByLink,            prompt_ended: byLinkPromptEnded, silence: stillByLink,
    debited: ignore,
    paid: ignore,            declined: ignore,
    unconfirmed: unconfirmedBeforeCharge, refused: refusedByLink,
    saved_card_unusable: ignore,
    link: textNotDelivered,  page_opened: openedByLink, paying_elsewhere: payingBeforeCharge,
    paid_elsewhere: paidBeforeCharge,   declined_elsewhere: declinedWhileByLink,
    session_claimed: ignore, session_not_claimed: ignore,
    end_requested: endNow,
    returned: ignore,        return_failed: ignore,     hung_up: goneByLink,            media_lost: goneByLink,
  },
  charging: {
    answered: ignore,        key: ignore,               prompt_ended: sentenceEnded,    silence: stillWorking,
    debited: answerCame,
    paid: answerCame,        declined: answerCame,
    unconfirmed: unconfirmedWhileCharging, refused: answerCame,
    saved_card_unusable: answerCame,
    link: keepLink,          page_opened: ignore,       paying_elsewhere: elsewhereWhileCharging,
    paid_elsewhere: elsewhereWhileCharging, declined_elsewhere: elsewhereWhileCharging,
    session_claimed: ignore, session_not_claimed: ignore,
    end_requested: endLater,
    returned: ignore,        return_failed: ignore,     hung_up: goneWhileCharging,     media_lost: goneWhileCharging,
  },
  waiting: {
    answered: ignore,        key: keyWhileWaiting,      prompt_ended: waitingPromptEnded, silence: stillWaiting,
    debited: ignore,
    paid: ignore,            declined: ignore,
    unconfirmed: unconfirmedWhileWaiting, refused: refusedWhileWaiting,
    saved_card_unusable: ignore,
    link: keepLink,          page_opened: ignore,       paying_elsewhere: anotherPaying,
    paid_elsewhere: resultCame,         declined_elsewhere: resultCame,
    session_claimed: ignore, session_not_claimed: ignore,
    end_requested: endLater,
    returned: ignore,        return_failed: ignore,     hung_up: goneWhileWaiting,      media_lost: goneWhileWaiting,
  },
  settling: {
    answered: ignore,        key: ignore,               prompt_ended: ignore,           silence: neverSettled,
    debited: settled,
    paid: settled,           declined: settled,         unconfirmed: settled,           refused: settled,
    saved_card_unusable: settled,
    link: ignore,            page_opened: ignore,       paying_elsewhere: settled,
    paid_elsewhere: settled, declined_elsewhere: ignore,
    session_claimed: ignore, session_not_claimed: ignore,
    end_requested: ignore,
    returned: ignore,        return_failed: ignore,     hung_up: ignore,                media_lost: ignore,
  },
  leaving: {
    answered: ignore,        key: ignore,               prompt_ended: lastSentenceEnded, silence: ignore,
    debited: ignore,
    paid: ignore,            declined: ignore,
    unconfirmed: payingWhileLeaving,    refused: ignore,
    saved_card_unusable: ignore,
    link: linkWhileLeaving,  page_opened: ignore,       paying_elsewhere: payingWhileLeaving,
    paid_elsewhere: paidWhileLeaving,   declined_elsewhere: ignore,
    session_claimed: ignore, session_not_claimed: ignore,
    end_requested: ignore,
    returned: ignore,        return_failed: ignore,     hung_up: goneWhileLeaving,      media_lost: goneWhileLeaving,
  },
  returning: {
    answered: ignore,        key: ignore,               prompt_ended: ignore,           silence: ignore,
    debited: ignore,
    paid: ignore,            declined: ignore,          unconfirmed: ignore,            refused: ignore,
    saved_card_unusable: ignore,
    link: ignore,            page_opened: ignore,       paying_elsewhere: ignore,
    paid_elsewhere: ignore,  declined_elsewhere: ignore,
    session_claimed: ignore, session_not_claimed: ignore,
    end_requested: ignore,
    returned: backWithAgent, return_failed: noWayBack,  hung_up: goneWhileLeaving,      media_lost: goneWhileLeaving,
  },
  goodbye: {
    answered: ignore,        key: ignore,               prompt_ended: goodbyeEnded,     silence: ignore,
    debited: ignore,
    paid: ignore,            declined: ignore,          unconfirmed: ignore,            refused: ignore,
    saved_card_unusable: ignore,
    link: ignore,            page_opened: ignore,       paying_elsewhere: ignore,
    paid_elsewhere: paidDuringGoodbye,  declined_elsewhere: ignore,
    session_claimed: ignore, session_not_claimed: ignore,
    end_requested: ignore,
    returned: ignore,        return_failed: ignore,     hung_up: goneWhileLeaving,      media_lost: goneWhileLeaving,
  },
  ended: {
    answered: ignore,        key: ignore,               prompt_ended: ignore,           silence: ignore,
    debited: ignore,
    paid: ignore,            declined: ignore,          unconfirmed: ignore,            refused: ignore,
    saved_card_unusable: ignore,
    link: ignore,            page_opened: ignore,       paying_elsewhere: ignore,
    paid_elsewhere: ignore,  declined_elsewhere: ignore,
    session_claimed: ignore, session_not_claimed: ignore,
    end_requested: ignore,
    returned: ignore,        return_failed: ignore,     hung_up: ignore,                media_lost: ignore,
  },
};

/**
 * One step of the conversation. Pure, except for card data: the Secrets of `state` and of a `key` event move into the
 * new state or the effects, or are wiped. So the caller must use neither again.
 */
export function step(state: State, event: FlowEvent): Step {
  const handler = TABLE[state.kind][event.type] as (state: State, event: FlowEvent) => Step;
  const result = handler(state, event);
  if (event.type === 'key') event.key.wipe();
  return result;
}
