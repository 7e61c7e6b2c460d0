// How a loan stands, in a word and a sign: claimed, lost, late, recalled, lent.
import { useText } from '#/i18n/text'
import { Outcome } from '#/ui/Badge'
import type { PatronLoan } from './types'

const DAY_MS = 24 * 3600_000

export function LoanState({ loan }: { loan: PatronLoan }) {
  const t = useText()
  const status = loan.item?.status?.name
  if (loan.status?.name === 'Closed') return <span className="soft">{t('loans.closedWord')}</span>
  if (status === 'Claimed returned' || loan.action === 'claimedReturned') {
    return (
      <Outcome kind="question" icon="circle-help">
        {t('loans.claimed')}
      </Outcome>
    )
  }
  if (status === 'Declared lost' || status === 'Aged to lost') {
    return (
      <Outcome kind="blocked" icon="octagon-x">
        {status === 'Declared lost' ? t('loans.lost') : t('loans.agedToLost')}
      </Outcome>
    )
  }
  const late = Date.now() - Date.parse(loan.dueDate)
  if (late > 0) {
    const days = Math.floor(late / DAY_MS)
    return (
      <Outcome kind="blocked" icon="clock-alert">
        {days ? t('loans.overdue', { days }) : t('loans.overdueToday')}
      </Outcome>
    )
  }
  if (loan.dueDateChangedByRecall) {
    return (
      <Outcome kind="transit" icon="undo-2">
        {t('loans.recalled')}
      </Outcome>
    )
  }
  return (
    <Outcome kind="offline" icon="book-up">
      {t('loans.onLoan')}
    </Outcome>
  )
}
