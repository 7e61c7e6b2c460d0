// What a piece can be, by the line that it belongs to: the server takes no other.
import type { OrderLine } from './types'

const OF: Record<string, readonly string[]> = {
  'Physical Resource': ['Physical'],
  'Electronic Resource': ['Electronic'],
  'P/E Mix': ['Physical', 'Electronic'],
  Other: ['Other'],
}

export const formatsOf = ({ orderFormat }: Pick<OrderLine, 'orderFormat'>): readonly string[] =>
  OF[orderFormat] ?? ['Physical']

/** The format that a piece has under a line: its own where the line has that. */
export const formatUnder = (line: Pick<OrderLine, 'orderFormat'>, format: string): string => {
  const formats = formatsOf(line)
  return formats.includes(format) ? format : (formats[0] ?? format)
}
