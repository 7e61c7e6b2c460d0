// What is asked before loans are changed, in the page above the list: a date, a comment, or an override.
import type { Override } from '#/patrons/loans/acts'
import type { PatronLoan, Result } from '#/patrons/loans/types'
import type { Patron } from '#/patrons/types'
import { LoanAct } from './LoanAct'
import { RefusedCard } from './RefusedCard'

export type TaskKind = 'due' | 'claim' | 'lost' | 'missing' | 'info' | 'refused'

export interface Task {
  kind: TaskKind
  loans: readonly PatronLoan[]
}

interface Props {
  task: Task
  user: Patron
  results: Readonly<Record<string, Result>>
  onOverride: (loans: readonly PatronLoan[], override: Override) => Promise<void>
  onDone: () => void
  onClose: () => void
}

export function LoanTask({ task, results, onOverride, onDone, onClose }: Props) {
  if (task.kind === 'refused') {
    return (
      <RefusedCard loans={task.loans} results={results} onOverride={onOverride} onClose={onClose} />
    )
  }
  return <LoanAct kind={task.kind} loans={task.loans} onDone={onDone} onClose={onClose} />
}
