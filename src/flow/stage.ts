/** The stage of a call, from the state of its conversation. */
import type { CallStage } from '../domain/call-stage.ts';
import type { State } from './state.ts';
import type { Field } from './types.ts';

export function stageOf(state: State): CallStage {
  switch (state.kind) {
    case 'choosing_merchant':
    case 'taking_session':
    case 'ringing':
      return 'greeting';
    case 'collecting':
      return stageOfField(state.question.field);
    // Until the text is on its way.
    case 'sending_link':
      return state.paused === null ? 'greeting' : stageOfField(state.paused.question.field);
    case 'charging':
    case 'settling':
      return 'paying';
    case 'by_link':
    case 'waiting':
    case 'returning':
    case 'ended':
      return state.kind;
    case 'leaving':
    case 'goodbye':
      return 'leaving';
  }
}

/** Whoever watches is not told that there are saved cards. */
function stageOfField(field: Field): CallStage {
  return field === 'saved_card' ? 'card_number' : field;
}
