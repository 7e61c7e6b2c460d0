// Saves rules, and says where the server does not understand them.
import { get, put } from '#/api/client'
import { ApiFailure } from '#/api/errors'
import type { Text } from '#/i18n/text'
import type { Fault } from './marks'
import type { Refs } from './refs'
import { toIds, toNames } from './words'

export type Saved =
  | { kind: 'saved' }
  | { kind: 'faults'; faults: Fault[] }
  /** Somebody else saved other rules since these were read. */
  | { kind: 'changed'; theirs: string }

/** Faults that are seen here: names that stand for nothing. */
export function faultsOf(text: string, refs: Refs, t: Text): Fault[] {
  return toIds(text, refs).unknown.map(({ letter, text: name, ...place }) => ({
    ...place,
    message: t(`rules.unknown.${letter}`, { name }),
  }))
}

export async function save(
  text: string,
  before: string,
  { refs, t, anyway }: { refs: Refs; t: Text; anyway: boolean },
): Promise<Saved> {
  const written = toIds(text, refs)
  if (written.unknown.length) return { kind: 'faults', faults: faultsOf(text, refs, t) }
  if (!anyway) {
    const { rulesAsText } = await get<{ rulesAsText: string }>('/circulation/rules')
    if (rulesAsText !== before) return { kind: 'changed', theirs: toNames(rulesAsText, refs) }
  }
  try {
    await put('/circulation/rules', { rulesAsText: written.text })
    return { kind: 'saved' }
  } catch (error) {
    const fault = faultOf(error)
    if (!fault) throw error
    const line = Math.max(0, fault.line - 1)
    const from = written.columnOf(line, Math.max(0, fault.column - 1))
    const width = text.split('\n')[line]?.slice(from).match(/^\S+/)?.[0].length ?? 1
    return { kind: 'faults', faults: [{ line, from, to: from + width, message: fault.message }] }
  }
}

function faultOf(error: unknown): { message: string; line: number; column: number } | undefined {
  if (!(error instanceof ApiFailure) || error.failure.kind !== 'fault') return undefined
  if (error.failure.status !== 422) return undefined
  try {
    const { message, line = 1, column = 1 } = JSON.parse(error.failure.text)
    return { message: String(message), line: Number(line), column: Number(column) }
  } catch {
    return undefined
  }
}
