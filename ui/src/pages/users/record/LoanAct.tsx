// One act on one or many loans: due date, claim, loss, missing, information. Each loan is asked for by itself; those
// that were refused stay listed.
import { useState } from 'react'
import { useText } from '#/i18n/text'
import { useDesk } from '#/lib/desk'
import { useFormats } from '#/lib/format'
import {
  addInfo,
  changeDueDate,
  claimReturned,
  declareLost,
  declareMissing,
  refusedOf,
} from '#/patrons/loans/acts'
import type { PatronLoan } from '#/patrons/loans/types'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { DateField } from '#/ui/DateField'
import { Note } from '#/ui/Note'
import { Radios } from '#/ui/Radios'
import { TextField } from '#/ui/TextField'
import type { TaskKind } from './LoanTask'

interface Props {
  kind: Exclude<TaskKind, 'refused'>
  loans: readonly PatronLoan[]
  onDone: () => void
  onClose: () => void
}

const NEEDS_COMMENT = { due: false, claim: false, lost: false, missing: true, info: true }

export function LoanAct({ kind, loans, onDone, onClose }: Props) {
  const t = useText()
  const formats = useFormats()
  const desk = useDesk()
  const [left, setLeft] = useState(loans)
  const [faults, setFaults] = useState<readonly string[]>([])
  const [date, setDate] = useState<string | undefined>(() =>
    kind === 'due' ? loans[0]?.dueDate : new Date().toISOString(),
  )
  const [comment, setComment] = useState('')
  const [audience, setAudience] = useState<'patronInfoAdded' | 'staffInfoAdded'>('staffInfoAdded')
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState(false)
  const hasDate = kind === 'due' || kind === 'claim'
  const one = (loan: PatronLoan) => {
    if (kind === 'due') return changeDueDate(loan, date ?? '')
    if (kind === 'claim') return claimReturned(loan, date ?? '', comment.trim())
    if (kind === 'lost') return declareLost(loan, desk?.id ?? '', comment.trim())
    if (kind === 'missing') return declareMissing(loan, comment.trim())
    return addInfo(loan, audience, comment.trim())
  }
  const act = async () => {
    setTried(true)
    if ((hasDate && !date) || (NEEDS_COMMENT[kind] && !comment.trim())) return
    setBusy(true)
    const refused: PatronLoan[] = []
    const texts: string[] = []
    for (const loan of left) {
      try {
        await one(loan)
      } catch (error) {
        const { reasons, detail } = refusedOf(error)
        const why = [...reasons.map((id) => t(id)), detail].filter(Boolean).join(' ')
        refused.push(loan)
        texts.push(`${loan.item?.title ?? loan.item?.barcode ?? ''}: ${why}`)
      }
    }
    setBusy(false)
    setLeft(refused)
    setFaults(texts)
    if (!refused.length) onDone()
  }
  const name = left.length === 1 ? (left[0]?.item?.title ?? '') : ''
  return (
    <ConfirmCard
      title={t(`loans.ask.${kind}`, { count: left.length })}
      text={name ? <bdi>{name}</bdi> : kind === 'lost' ? t('loans.lostWhat') : undefined}
      act={t(`loans.do.${kind}`, { count: left.length })}
      danger={kind === 'lost' || kind === 'missing'}
      busy={busy}
      disabled={kind === 'lost' && !desk ? t('shell.chooseFirst') : undefined}
      onAct={() => void act()}
      onClose={onClose}
    >
      {faults.length ? (
        <Note kind="blocked" alert>
          {faults.map((text) => (
            <p key={text} className="sm" dir="auto">
              {text}
            </p>
          ))}
        </Note>
      ) : null}
      {kind === 'info' ? (
        <Radios
          label={t('loans.forWhom')}
          value={audience}
          onChange={setAudience}
          choices={[
            { value: 'staffInfoAdded', text: t('loans.forStaff') },
            { value: 'patronInfoAdded', text: t('loans.forPatron') },
          ]}
        />
      ) : null}
      <div className="row wrap top">
        {hasDate ? (
          <DateField
            label={kind === 'due' ? t('loans.newDue') : t('loans.claimedOn')}
            time
            value={date}
            onChange={setDate}
            error={tried && !date ? t('loans.chooseDate') : undefined}
            help={
              kind === 'due' && loans.length === 1
                ? t('loans.dueNow', { date: formats.dayTime(loans[0]?.dueDate ?? '') })
                : undefined
            }
          />
        ) : null}
        {kind === 'due' ? null : (
          <TextField
            grow
            label={kind === 'info' ? t('loans.info') : t('loans.comment')}
            mark={NEEDS_COMMENT[kind] ? 'needed' : 'optional'}
            value={comment}
            onChange={setComment}
            error={
              tried && NEEDS_COMMENT[kind] && !comment.trim() ? t('loans.typeComment') : undefined
            }
          />
        )}
      </div>
    </ConfirmCard>
  )
}
