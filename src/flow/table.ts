/**
 * The conversation's state table: what every event does in every state, on one page. `ignore` is a decision: an event that
 * can't matter any more (a late answer, a key during the goodbye) changes nothing. The types leave no cell empty.
 */
import {
  answerCame,
  goneWhileCharging,
  neverSettled,
  refusedBeforeCharge,
  sentenceHeard,
  settled,
  stillWorking,
} from './charging.ts';
import { fellSilent, goneBeforeCharge, greet, keyBeforeAnswer, keyPressed, promptHeard } from './collect.ts';
import { backWithAgent, goneWhileLeaving, goodbyeHeard, lastSentenceHeard, noWayBack } from './leaving.ts';
import type { EventOf, EventType, Kind, State, StateOf, Step } from './state.ts';
import type { FlowEvent } from './types.ts';

export { type State, type Step, startConversation, wipeState } from './state.ts';

type Table = { [K in Kind]: { [T in EventType]: (state: StateOf<K>, event: EventOf<T>) => Step } };

const ignore = (state: State): Step => ({ state, effects: [] });

// biome-ignore format: a table is read by rows and columns
export const TABLE: Table = {
  ringing: {
    answered: greet,         key: keyBeforeAnswer,     spoken: ignore,             silence: ignore,
    paid: ignore,            declined: ignore,         unconfirmed: ignore,        refused: refusedBeforeCharge,
    returned: ignore,        return_failed: ignore,    hung_up: goneBeforeCharge,  media_lost: goneBeforeCharge,
  },
  collecting: {
    answered: ignore,        key: keyPressed,          spoken: promptHeard,        silence: fellSilent,
    paid: ignore,            declined: ignore,         unconfirmed: ignore,        refused: refusedBeforeCharge,
    returned: ignore,        return_failed: ignore,    hung_up: goneBeforeCharge,  media_lost: goneBeforeCharge,
  },
  charging: {
    answered: ignore,        key: ignore,              spoken: sentenceHeard,      silence: stillWorking,
    paid: answerCame,        declined: answerCame,     unconfirmed: answerCame,    refused: answerCame,
    returned: ignore,        return_failed: ignore,    hung_up: goneWhileCharging, media_lost: goneWhileCharging,
  },
  settling: {
    answered: ignore,        key: ignore,              spoken: ignore,             silence: neverSettled,
    paid: settled,           declined: settled,        unconfirmed: settled,       refused: settled,
    returned: ignore,        return_failed: ignore,    hung_up: ignore,            media_lost: ignore,
  },
  leaving: {
    answered: ignore,        key: ignore,              spoken: lastSentenceHeard,  silence: ignore,
    paid: ignore,            declined: ignore,         unconfirmed: ignore,        refused: ignore,
    returned: ignore,        return_failed: ignore,    hung_up: goneWhileLeaving,  media_lost: goneWhileLeaving,
  },
  returning: {
    answered: ignore,        key: ignore,              spoken: ignore,             silence: ignore,
    paid: ignore,            declined: ignore,         unconfirmed: ignore,        refused: ignore,
    returned: backWithAgent, return_failed: noWayBack, hung_up: goneWhileLeaving,  media_lost: goneWhileLeaving,
  },
  goodbye: {
    answered: ignore,        key: ignore,              spoken: goodbyeHeard,       silence: ignore,
    paid: ignore,            declined: ignore,         unconfirmed: ignore,        refused: ignore,
    returned: ignore,        return_failed: ignore,    hung_up: goneWhileLeaving,  media_lost: goneWhileLeaving,
  },
  ended: {
    answered: ignore,        key: ignore,              spoken: ignore,             silence: ignore,
    paid: ignore,            declined: ignore,         unconfirmed: ignore,        refused: ignore,
    returned: ignore,        return_failed: ignore,    hung_up: ignore,            media_lost: ignore,
  },
};

/**
 * One step of the conversation. Pure, except for card data: the Secrets of `state` and of a `key` event move into the new
 * state or the effects, or are wiped, so neither may be used again.
 */
export function step(state: State, event: FlowEvent): Step {
  const handler = TABLE[state.kind][event.type] as (state: State, event: FlowEvent) => Step;
  const result = handler(state, event);
  if (event.type === 'key') event.key.wipe();
  return result;
}
