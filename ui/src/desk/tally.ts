// The line of the tally that a scan belongs to. Pure.
import type { Kind } from '#/ui/kinds'
import type { Scan } from './types'

export type TallyKind = Kind | 'asking'

export function kindOf(scan: Scan): TallyKind {
  switch (scan.state) {
    case 'waiting':
    case 'asking':
      return 'asking'
    case 'question':
    case 'left':
      return 'question'
    case 'refused':
      return 'blocked'
    default:
      return scan.outcome?.kind ?? 'ok'
  }
}

export const isOf = (scan: Scan, kind: TallyKind | undefined): boolean =>
  !kind || (kind === 'fee' ? Boolean(scan.owed) : kindOf(scan) === kind)
