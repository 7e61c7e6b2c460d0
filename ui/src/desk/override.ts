// What staff override, as FOLIO's routes and the desk's own take it.
import type { Override } from './types'

/** FOLIO's `overrideBlocks`. */
export function overrideBody(override: Override | undefined) {
  if (!override) return {}
  const blocks = Object.fromEntries(
    override.blocks.map((name) => [
      name,
      name === 'itemNotLoanableBlock' ? { dueDate: override.dueDate } : {},
    ]),
  )
  return { overrideBlocks: { ...blocks, comment: override.comment } }
}
