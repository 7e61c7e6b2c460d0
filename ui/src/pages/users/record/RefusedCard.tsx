// The renewals that were refused, each with its reasons; and the override of those that allow one: a comment, and
// a date where no policy gives one.
import { useState } from 'react'
import { useText } from '#/i18n/text'
import type { Override } from '#/patrons/loans/acts'
import type { PatronLoan, Result } from '#/patrons/loans/types'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { DateField } from '#/ui/DateField'
import { TextField } from '#/ui/TextField'

interface Props {
  loans: readonly PatronLoan[]
  results: Readonly<Record<string, Result>>
  onOverride: (loans: readonly PatronLoan[], override: Override) => Promise<void>
  onClose: () => void
}

export function RefusedCard({ loans, results, onOverride, onClose }: Props) {
  const t = useText()
  const [comment, setComment] = useState('')
  const [due, setDue] = useState<string>()
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const lifted = loans.filter((one) => results[one.id]?.blocks?.length)
  const blocks = [...new Set(lifted.flatMap((one) => results[one.id]?.blocks ?? []))]
  const missing = [...new Set(lifted.flatMap((one) => results[one.id]?.missing ?? []))]
  const needsDate = blocks.includes('renewalDueDateRequiredBlock')
  const locked = missing.length
    ? t('shell.needsPermission', { permission: missing.join(', ') })
    : lifted.length
      ? undefined
      : t('loans.noOverride')
  const override = async () => {
    setTried(true)
    if (!comment.trim() || (needsDate && !due)) return
    setBusy(true)
    await onOverride(lifted, { blocks, comment: comment.trim(), dueDate: due })
    setBusy(false)
  }
  return (
    <ConfirmCard
      title={t('loans.refusedCount', { count: loans.length })}
      act={t('loans.overrideCount', { count: lifted.length })}
      busy={busy}
      disabled={locked}
      onAct={() => void override()}
      onClose={onClose}
      closeText={t('loans.leaveIt')}
    >
      <ul className="stack tight">
        {loans.map((loan) => (
          <li key={loan.id} className="sm">
            <bdi className="medium">{loan.item?.title}</bdi>{' '}
            <span className="soft" dir="auto">
              {results[loan.id]?.text}
            </span>
          </li>
        ))}
      </ul>
      {lifted.length ? (
        <div className="row wrap top">
          {needsDate ? (
            <DateField
              label={t('loans.newDue')}
              time
              value={due}
              onChange={setDue}
              error={tried && !due ? t('loans.chooseDate') : undefined}
            />
          ) : null}
          <TextField
            grow
            label={t('loans.comment')}
            mark="needed"
            value={comment}
            onChange={setComment}
            error={tried && !comment.trim() ? t('loans.typeComment') : undefined}
          />
        </div>
      ) : null}
    </ConfirmCard>
  )
}
