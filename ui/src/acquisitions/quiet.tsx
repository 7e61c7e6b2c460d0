// Nothing is quiet in a table, and left out where rows are entries; a sum that is asked for is no such cell.
import type { ReactNode } from 'react'

export const quiet = (value: number | undefined, text: ReactNode): ReactNode =>
  value ? text : <span className="muted">{text}</span>
