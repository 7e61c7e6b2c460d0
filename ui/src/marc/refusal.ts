// The editor's routes refuse a record as one error, as a list, or as issues: all of them as issues of fields.
import type { Failure } from '#/api/errors'
import type { Issue } from './types'

interface Said {
  message?: unknown
  parameters?: { key?: unknown }[]
  errors?: Said[]
  issues?: Issue[]
}

/** FOLIO names the property of the holdings, not the field that it comes from. */
const BY_PROPERTY: readonly (readonly [RegExp, string])[] = [[/permanentLocationId/i, '852']]

function issueOf({ message, parameters }: Said): Issue {
  const text = String(message ?? '')
  const tag = parameters?.[0]?.key ?? BY_PROPERTY.find(([one]) => one.test(text))?.[1] ?? ''
  return { tag: String(tag), severity: 'error', message: text }
}

/** None where the failure says nothing about the record. */
export function issuesOf(failure: Failure): Issue[] | undefined {
  if (failure.kind === 'refused') return failure.errors.map(issueOf)
  if (failure.kind !== 'fault' || failure.status < 400 || failure.status >= 500) return undefined
  try {
    const said = JSON.parse(failure.text) as Said
    if (Array.isArray(said.issues)) return said.issues
    if (Array.isArray(said.errors)) return said.errors.map(issueOf)
    return said.message ? [issueOf(said)] : undefined
  } catch {
    return undefined
  }
}
