/** How many segments a text is billed as: GSM-7 (160, or 153 each) or UCS-2 (70, or 67 each); 3GPP TS 23.038. */
import { SegmentedMessage } from 'sms-segments-calculator';

export function countSegments(text: string): { encoding: 'GSM-7' | 'UCS-2'; segments: number } {
  const message = new SegmentedMessage(text);
  return { encoding: message.encodingName, segments: message.segmentsCount };
}
