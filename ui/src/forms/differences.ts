// What differs between two versions of a record, property by property. What is absent, empty or null is the same.
export type Plain = Record<string, unknown>
export interface Difference {
  path: string
  mine: unknown
  theirs: unknown
}

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlain(value) && Object.values(value).every(isEmpty))

/** What the server writes by itself is no difference that a person made. */
const OWN = new Set(['metadata', 'updatedDate', 'createdDate', '_version', 'meta'])

export function differences(mine: unknown, theirs: unknown, path = ''): Difference[] {
  if (isEmpty(mine) && isEmpty(theirs)) return []
  if (isPlain(mine) || isPlain(theirs)) {
    const [a, b] = [isPlain(mine) ? mine : {}, isPlain(theirs) ? theirs : {}]
    return [...new Set([...Object.keys(a), ...Object.keys(b)])]
      .filter((key) => !OWN.has(key))
      .flatMap((key) => differences(a[key], b[key], path ? `${path}.${key}` : key))
  }
  return JSON.stringify(mine) === JSON.stringify(theirs) ? [] : [{ path, mine, theirs }]
}

export const same = (one: unknown, other: unknown): boolean => differences(one, other).length === 0

/** The record with the value at the path: a copy; what is undefined is taken away. */
export function withValue<T>(record: T, path: string, value: unknown): T {
  const [key = '', ...rest] = path.split('.')
  const copy: Plain = { ...(record as Plain) }
  if (rest.length) copy[key] = withValue((copy[key] ?? {}) as Plain, rest.join('.'), value)
  else if (value === undefined) delete copy[key]
  else copy[key] = value
  return copy as T
}

/**
 * Mine and theirs, both made from `base`: theirs, with what only I changed. What both changed differently is
 * listed; it stands as mine until the person has chosen.
 */
export function merged<T>(base: T, mine: T, theirs: T): { record: T; both: Difference[] } {
  const changedByThem = new Set(differences(base, theirs).map((one) => one.path))
  let record = theirs
  const both: Difference[] = []
  for (const { path, mine: value } of differences(mine, base)) {
    const theirValue = valueAt(theirs, path)
    if (changedByThem.has(path) && !same(value, theirValue))
      both.push({ path, mine: value, theirs: theirValue })
    record = withValue(record, path, value)
  }
  return { record, both }
}

export const valueAt = (record: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, key) => (isPlain(at) ? at[key] : undefined), record)
