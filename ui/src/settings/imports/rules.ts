// The rules of a field mapping: what each property of a record is filled with. FOLIO keeps them as a list, rows of lists
// inside it; what the form has no words for stays as it is.

import { INVOICE, ORDER } from './properties/acquisitions'
import { HOLDINGS, INSTANCE, ITEM } from './properties/inventory'
import type { Property } from './properties/kinds'

export interface Rule {
  name: string
  path: string
  enabled?: string
  required?: boolean
  value?: string
  booleanFieldAction?: string
  repeatableFieldAction?: string
  subfields?: readonly RuleRow[]
  /** Ids and names that a value may be. */
  acceptedValues?: Readonly<Record<string, string>>
}
export interface RuleRow {
  order: number
  path: string
  fields: readonly Rule[]
}

const PROPERTIES: Readonly<Record<string, readonly Property[]>> = {
  INSTANCE,
  HOLDINGS,
  ITEM,
  ORDER,
  INVOICE,
}
/** The kinds of records that have rules. */
export const MAPPED = Object.keys(PROPERTIES)
/** Records that are only made, never changed: their lists have nothing before. */
export const isOnlyMade = (type: unknown) => type === 'ORDER' || type === 'INVOICE'

const root = (type: string) => type.toLowerCase()
export const propertiesOf = (type: unknown) => PROPERTIES[String(type)] ?? []
export const pathOf = (type: unknown, { name }: Property) => `${root(String(type))}.${name}`

/** Rules of another kind of record, which was chosen before. */
export const isForeign = (type: unknown, { path = '' }: Rule): boolean => {
  const [first = ''] = path.split('.')
  return first !== root(String(type)) && MAPPED.some((one) => root(one) === first)
}

export const lastOf = (path: string) => path.replace(/\[\]$/, '').split('.').at(-1) ?? path

const isBlank = (text: string | undefined) => !text?.trim()

/** Whether a rule does anything with a record. */
export const does = (rule: Rule): boolean =>
  !isBlank(rule.value) ||
  Boolean(rule.booleanFieldAction) ||
  rule.repeatableFieldAction === 'DELETE_EXISTING' ||
  Boolean(rule.subfields?.some(rowDoes))
export const rowDoes = (row: RuleRow): boolean => row.fields.some(does)

const empty = (path: string): Rule => ({
  name: lastOf(path),
  enabled: 'true',
  path,
  value: '',
  subfields: [],
})

/** A new rule; with `begun` it has what is usual. */
export function ruleOf(property: Property, path: string, begun = true): Rule {
  const usual = begun ? property.usual : undefined
  const rule = empty(path)
  switch (property.kind) {
    case 'flag':
      return usual ? { ...rule, booleanFieldAction: usual } : rule
    case 'texts':
    case 'refs':
      return {
        ...rule,
        repeatableFieldAction: 'EXTEND_EXISTING',
        subfields: [rowOf(property, path)],
      }
    case 'rows':
      if (property.whole) return { ...rule, value: usual ?? '' }
      return {
        ...rule,
        repeatableFieldAction: 'EXTEND_EXISTING',
        subfields: [rowOf(property, path)],
      }
    default:
      return { ...rule, value: usual ?? '' }
  }
}

/** A new row of a list: of a list of texts it has one rule, with the list's own path. */
export function rowOf(property: Property, path: string, order = 0): RuleRow {
  if (property.kind !== 'rows') return { order, path, fields: [empty(path)] }
  const fields = property.fields.map((inner): Rule => {
    const rule =
      inner.kind === 'rows' && !inner.whole
        ? empty(`${path}.${inner.name}`)
        : ruleOf(inner, `${path}.${inner.name}`)
    return inner.needed ? { ...rule, required: true } : rule
  })
  return { order, path, fields }
}

/** The rules that a new profile begins with. */
export const startOf = (type: unknown): Rule[] =>
  propertiesOf(type)
    .filter(({ needed, usual }) => needed || usual)
    .map((property) => ruleOf(property, pathOf(type, property)))

/** With an empty rule for each property without which nothing is made. */
export function complete(type: unknown, rules: readonly Rule[]): Rule[] {
  const there = new Set(rules.map(({ path }) => path))
  const missing = propertiesOf(type).filter(
    (property) => property.needed && !there.has(pathOf(type, property)),
  )
  return [...rules, ...missing.map((property) => ruleOf(property, pathOf(type, property), false))]
}

/** As it is sent: rows that do nothing go, and an action on rows that are not there. */
export function cleaned(rule: Rule): Rule {
  const rows = (rule.subfields ?? [])
    .filter(rowDoes)
    .map((row, order) => ({ ...row, order, fields: row.fields.map(cleaned) }))
  const { repeatableFieldAction, ...rest } = rule
  const keeps = repeatableFieldAction === 'DELETE_EXISTING' || rows.length > 0
  return {
    ...rest,
    name: rule.name ?? lastOf(rule.path),
    enabled: rule.enabled ?? 'true',
    subfields: repeatableFieldAction === 'DELETE_EXISTING' ? [] : rows,
    ...(repeatableFieldAction && keeps ? { repeatableFieldAction } : {}),
  }
}

/** The properties that are needed and empty, by their paths; those of rows with the number of the row. */
export function lackingRules(type: unknown, rules: readonly Rule[]): string[] {
  return propertiesOf(type).flatMap((property) => {
    const rule = rules.find(({ path }) => path === pathOf(type, property))
    if (!rule) return property.needed ? [pathOf(type, property)] : []
    if (property.needed && !does(rule)) return [rule.path]
    return lackingRows(property, rule, rule.path)
  })
}

function lackingRows(property: Property, rule: Rule, at: string): string[] {
  const rows = rule.subfields ?? []
  const acts = rule.repeatableFieldAction && rule.repeatableFieldAction !== 'DELETE_EXISTING'
  if (acts && isBlank(rule.value) && rows.length && !rows.some(rowDoes)) return [at]
  if (property.kind !== 'rows') return []
  return rows.flatMap((row, number) =>
    rowDoes(row)
      ? property.fields.flatMap((inner) => {
          const own = row.fields.find(({ path }) => lastOf(path) === lastOf(inner.name))
          const path = `${at}/${number}/${inner.name}`
          if (inner.needed && !(own && does(own))) return [path]
          return own ? lackingRows(inner, own, path) : []
        })
      : [],
  )
}
