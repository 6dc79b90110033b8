/** Type only: the dashboard's scripts import it. A text for each plural category of the language (CLDR). `#` is the number. */
export interface PluralForms {
  one: string;
  other: string;
  /** Of Spanish and French, for millions: `1 millón de cobros`. Default: `other`. */
  many?: string;
}
