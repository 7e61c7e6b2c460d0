// What changed between two versions of a record: as the server tells it of inventory, or computed from the contents
// that it keeps of acquisitions.
import { differences } from '#/forms/differences'

/** A property, with what it had and what it has; of a list what went and what came. */
export interface Change {
  path: string
  before: unknown[]
  after: unknown[]
}

export interface Diff {
  fieldChanges?: { fullPath: string; oldValue?: unknown; newValue?: unknown }[]
  collectionChanges?: {
    collectionName: string
    itemChanges: { oldValue?: unknown; newValue?: unknown }[]
  }[]
}

const some = (value: unknown): unknown[] =>
  value === undefined || value === null || value === '' ? [] : [value]

export function ofDiff(diff: Diff | undefined): Change[] {
  const fields = (diff?.fieldChanges ?? []).map((one) => ({
    path: one.fullPath,
    before: some(one.oldValue),
    after: some(one.newValue),
  }))
  const lists = (diff?.collectionChanges ?? []).map((list) => ({
    path: list.collectionName,
    before: list.itemChanges.flatMap((one) => some(one.oldValue)),
    after: list.itemChanges.flatMap((one) => some(one.newValue)),
  }))
  return [...fields, ...lists]
}

/** The elements that the other list does not have. */
const without = (list: unknown[], other: unknown[]): unknown[] => {
  const known = new Set(other.map((one) => JSON.stringify(one)))
  return list.filter((one) => !known.has(JSON.stringify(one)))
}

export function between(older: unknown, newer: unknown): Change[] {
  return differences(older, newer).flatMap(({ path, mine, theirs }) => {
    const isList = Array.isArray(mine) || Array.isArray(theirs)
    if (!isList) return [{ path, before: some(mine), after: some(theirs) }]
    const [a, b] = [Array.isArray(mine) ? mine : [], Array.isArray(theirs) ? theirs : []]
    const change = { path, before: without(a, b), after: without(b, a) }
    // Only their order is another one.
    return change.before.length || change.after.length ? [change] : []
  })
}
