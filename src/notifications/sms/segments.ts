/**
 * The billed segments of a text: GSM-7 (160, or 153 each) or UCS-2 (70, or 67 each), 3GPP TS 23.038. Plain texts are
 * counted here. The library takes 1 ms for a receipt, more than all other work on it.
 */
import { SegmentedMessage } from 'sms-segments-calculator';

/**
 * ASCII characters that GSM-7 writes in one septet: not `[ \ ] ^ { | } ~`, which take two, nor the backtick, which it
 * lacks.
 */
const PLAIN = /^[A-Za-z0-9 \n@$_!"#%&'()*+,\-./:;<=>?]+$/;
const [IN_ONE, IN_EACH] = [160, 153];

export function countSegments(text: string): { encoding: 'GSM-7' | 'UCS-2'; segments: number } {
  if (PLAIN.test(text))
    return { encoding: 'GSM-7', segments: text.length <= IN_ONE ? 1 : Math.ceil(text.length / IN_EACH) };
  const message = new SegmentedMessage(text);
  return { encoding: message.encodingName, segments: message.segmentsCount };
}
