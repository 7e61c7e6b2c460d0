// The server's refusals as faults of fields, where it names a property that the form has.
import type { Failure } from '#/api/errors'
import type { Part } from './specs'

export function faultsOf(
  failure: Failure,
  parts: readonly Part[],
): Record<string, string> | undefined {
  if (failure.kind !== 'refused') return undefined
  const names = parts.flatMap((part) => part.fields).map((field) => field.name)
  const faults: Record<string, string> = {}
  for (const { message, parameters } of failure.errors) {
    const said = [message, ...parameters.map((one) => one.key)].join(' ')
    const name = names.find((one) => new RegExp(`\\b${one.split(':').at(-1)}\\b`, 'i').test(said))
    // One that belongs to no field: all are shown as the server said them.
    if (!name) return undefined
    faults[name] = message
  }
  return Object.keys(faults).length ? faults : undefined
}
