// What profiles say as lines of text, for two versions side by side.
import type { Field } from '../kinds'
import { isControl, type MarcChange, type MarcField, type MarcSubfield } from './marcChanges'
import { type Protection, wordsOf } from './protections'
import { does, lastOf, type Rule, rowDoes } from './rules'

const said = ({ value, booleanFieldAction, repeatableFieldAction }: Rule) =>
  [repeatableFieldAction, booleanFieldAction, value?.trim()].filter(Boolean).join(' ')

const rulesOutline = (rules: readonly Rule[], at = ''): string[] =>
  rules
    .filter(does)
    .flatMap((rule) => [
      `${at}${at ? lastOf(rule.path) : rule.path}: ${said(rule)}`.trimEnd(),
      ...(rule.subfields ?? [])
        .filter(rowDoes)
        .flatMap((row, number) => rulesOutline(row.fields, `${at}${number + 1}. `)),
    ])

const fieldOutline = ({ field = '', indicator1, indicator2 }: MarcField) =>
  isControl(field) ? field : `${field} ${indicator1 || '_'}${indicator2 || '_'}`

function subfieldOutline({ subfield, subaction, position, data = {} }: MarcSubfield): string {
  const { text, find, replaceWith, marcField } = data
  const [to] = marcField?.subfields ?? []
  return [
    `$${subfield ?? ''}`,
    subaction,
    position,
    text && `“${text}”`,
    find && `“${find}” → “${replaceWith ?? ''}”`,
    marcField && `→ ${fieldOutline(marcField)}${to?.subfield ? ` $${to.subfield}` : ''}`,
  ]
    .filter(Boolean)
    .join(' ')
}

const changeOutline = ({ action, field }: MarcChange) =>
  [action, fieldOutline(field), (field.subfields ?? []).map(subfieldOutline).join(', ')].join(' ')

/** The lines of a field that has records inside; undefined for one that does not. */
export function outlineOf({ type }: Field, value: unknown): string | undefined {
  const rows = Array.isArray(value) ? value : []
  if (type === 'mapping') return rulesOutline(rows as Rule[]).join('\n')
  if (type === 'marcChanges') return (rows as MarcChange[]).map(changeOutline).join('\n')
  if (type === 'overrides') return (rows as Protection[]).map(wordsOf).join('\n')
  return undefined
}
