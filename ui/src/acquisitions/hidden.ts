// The fields that a template leaves out of the forms of its orders and their lines. FOLIO keeps them as an object of
// the shape of the record: `{ ongoing: { interval: true } }`.
type Values = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Their names, inner ones with dots. */
export function hiddenNames(hidden: unknown, before = ''): string[] {
  if (!isObject(hidden)) return []
  return Object.entries(hidden).flatMap(([key, value]) =>
    value === true ? [before + key] : hiddenNames(value, `${before}${key}.`),
  )
}

/** The object of these names. */
export function hiddenFields(names: readonly string[]): Values {
  const hidden: Record<string, unknown> = {}
  for (const name of names) {
    const keys = name.split('.')
    const last = keys.pop() ?? name
    let at = hidden
    for (const key of keys) {
      if (!isObject(at[key])) at[key] = {}
      at = at[key] as Record<string, unknown>
    }
    at[last] = true
  }
  return hidden
}

/** The names as forms have them. */
export const hiddenIn = (template: Values | null | undefined) =>
  new Set(hiddenNames(template?.hiddenFields).map((name) => name.replaceAll('.', ':')))
