/** The fields of a posted form, by name. */

/** Of a name that stands there twice the last, as a checkbox behind a hidden field has it. */
export function parseFormFields(body: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body));
}
