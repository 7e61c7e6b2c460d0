// The properties that a field mapping can fill, as FOLIO names them in its mapping profiles.
import { organizationLookup } from '#/acquisitions/form/fields'
import type { TextId } from '#/i18n/text'
import type { LookupOf } from '#/inventory/form/specs'
import type { Source } from '../../kinds'

interface Base {
  /** Its place below the record's name; lists end with []. */
  name: string
  label: TextId
  /** An import fails without it; in a list's rows: a row without it is left out. */
  needed?: true
  /** What it usually is: a new profile begins with it. */
  usual?: string
}

export type Property = Base &
  (
    | { kind: 'text' | 'flag' | 'texts' }
    /** A name or code of a list; its records are kept with the rule, as FOLIO wants them. */
    | { kind: 'ref' | 'refs'; of: Source }
    | { kind: 'choice'; choices: readonly { value: string; text: TextId }[] }
    | { kind: 'lookup'; lookup: LookupOf }
    /** A list of records; `only` is one row that every line of the file follows, `whole` one value in place of all rows. */
    | {
        kind: 'rows'
        fields: readonly Property[]
        only?: true
        whole?: { value: string; text: TextId }
      }
  )

type Options = Pick<Base, 'needed' | 'usual'>

export const text = (name: string, label: TextId, options: Options = {}): Property => ({
  name,
  label,
  kind: 'text',
  ...options,
})
export const flag = (name: string, label: TextId, options: Options = {}): Property => ({
  name,
  label,
  kind: 'flag',
  ...options,
})
export const texts = (name: string, label: TextId): Property => ({ name, label, kind: 'texts' })
export const ref = (name: string, label: TextId, of: Source, options: Options = {}): Property => ({
  name,
  label,
  kind: 'ref',
  of,
  ...options,
})
export const refs = (name: string, label: TextId, of: Source): Property => ({
  name,
  label,
  kind: 'refs',
  of,
})
export const vendor = (name: string, label: TextId, options: Options = {}): Property => ({
  name,
  label,
  kind: 'lookup',
  lookup: organizationLookup,
  ...options,
})
/** Fixed values, whose words are those of acquisitions. */
export const choice = (
  name: string,
  label: TextId,
  values: readonly string[],
  options: Options = {},
): Property => ({
  name,
  label,
  kind: 'choice',
  choices: values.map((value) => ({ value, text: `acq.value.${value}` as TextId })),
  ...options,
})
export const rows = (name: string, label: TextId, fields: readonly Property[]): Property => ({
  name,
  label,
  kind: 'rows',
  fields,
})

export const list = (path: string, key: string, name = 'name'): Source => ({ path, key, name })
