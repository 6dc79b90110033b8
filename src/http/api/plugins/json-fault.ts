/** Where a body stops being JSON: for the person who has to find it, by line and column. */
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { ApiError } from '../../../contract/errors.ts';

/** What jsonc-parser says, in words. It never repeats the body. */
const WORDS: Record<string, string> = {
  InvalidSymbol: 'an invalid value begins',
  InvalidNumberFormat: 'a number is malformed',
  PropertyNameExpected: 'a name in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing brace is expected',
  CloseBracketExpected: 'a closing bracket is expected',
  EndOfFileExpected: 'unexpected text follows the end of the JSON',
  InvalidCommentToken: 'a comment begins, and JSON has no comments',
  UnexpectedEndOfString: 'a string does not end',
  InvalidUnicode: 'a Unicode escape is malformed',
  InvalidEscapeCharacter: 'an escape is malformed',
  InvalidCharacter: 'a character is not allowed',
};

/** @param text a body that JSON.parse has refused */
export function jsonFault(text: string): ApiError {
  if (text.trim() === '') return new ApiError('invalid_json', { message: 'The body is empty. Send a JSON object.' });
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first === undefined) return new ApiError('invalid_json');
  if (first.offset >= text.trimEnd().length) {
    return new ApiError('invalid_json', { message: 'The body is not valid JSON: it ends too early.' });
  }
  const before = text.slice(0, first.offset).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  const what = WORDS[printParseErrorCode(first.error)] ?? 'there is a syntax error';
  const message = `The body is not valid JSON: at line ${before.length}, column ${column}, ${what}.`;
  return new ApiError('invalid_json', { message });
}
