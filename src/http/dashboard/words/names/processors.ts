/** Names of processors. */
import { processorName } from '../../../../contract/attention-words.ts';
import { language } from '../language.ts';

/** The name of a processor in the language of the request. One that is not known is shown as the API names it. */
export const processorText = (processor: string): string => processorName(processor, language()) ?? processor;
