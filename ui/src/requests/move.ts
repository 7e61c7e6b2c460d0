// Moving within a queue, as a pure step: what is begun stays in front, and nothing passes it.
import type { Request } from './types'
import { isBegun } from './words'

/** The ids after the move of one by some places; the same list where it cannot move. */
export function moved(requests: readonly Request[], id: string, to: number): readonly Request[] {
  const from = requests.findIndex((one) => one.id === id)
  const fixed = requests.filter((one) => isBegun(one) || one.requestType === 'Page').length
  const goal = Math.min(Math.max(to, fixed), requests.length - 1)
  const one = requests[from]
  if (!one || from === goal || from < fixed) return requests
  const others = requests.filter((other) => other.id !== id)
  return [...others.slice(0, goal), one, ...others.slice(goal)]
}
