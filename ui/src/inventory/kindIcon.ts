// The sign of a title's kind, from the names of its resource type and mode of issuance.
import type { IconName } from '#/ui/Icon'

const SIGNS: readonly [RegExp, IconName][] = [
  [/cartographic/, 'map'],
  [/moving image/, 'film'],
  [/notated m/, 'music'],
  [/music|sounds|spoken word/, 'disc-3'],
]

export function kindIcon(type: string | undefined, mode: string | undefined): IconName {
  const found = SIGNS.find(([names]) => names.test(type?.toLowerCase() ?? ''))
  if (found) return found[1]
  return /serial/.test(mode?.toLowerCase() ?? '') ? 'newspaper' : 'book'
}
