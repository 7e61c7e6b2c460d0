// Another due date for a loan of this session, in place.
import { type FormEvent, useState } from 'react'
import { post } from '#/api/client'
import { detailOf, failureOf } from '#/api/errors'
import { isoOf, localOf } from '#/desk/localTime'
import type { DeskSession } from '#/desk/session'
import type { Scan } from '#/desk/types'
import { useText } from '#/i18n/text'
import { useMay } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import card from '#/ui/Card.module.css'
import { cx } from '#/ui/cx'
import { TextField } from '#/ui/TextField'

interface Props {
  scan: Scan | undefined
  session: DeskSession
  onClose: () => void
}

export function OtherDate({ scan, session, onClose }: Props) {
  const t = useText()
  const { reason } = useMay('changeDueDate')
  const [local, setLocal] = useState(() => localOf(new Date(scan?.outcome?.dueDate ?? Date.now())))
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  if (!scan) return null
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const dueDate = isoOf(local)
    if (!dueDate) return
    setBusy(true)
    try {
      await post(`/circulation/loans/${scan.loanId}/change-due-date`, { dueDate })
      session.update(scan.id, (one) =>
        one.outcome ? { ...one, outcome: { ...one.outcome, dueDate } } : one,
      )
      onClose()
    } catch (error) {
      setFault(`${t('checkout.dateNotSaved')} ${detailOf(failureOf(error))}`)
      setBusy(false)
    }
  }
  return (
    <form
      className={cx(card.card, 'row wrap top')}
      onSubmit={save}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      aria-label={t('checkout.otherDate')}
    >
      <TextField
        grow
        label={t('checkout.newDate', { title: (scan.item?.title ?? '').slice(0, 60) })}
        type="datetime-local"
        value={local}
        onChange={setLocal}
        error={fault}
        autoFocus
      />
      <Button kind="primary" type="submit" busy={busy} disabled={reason}>
        {t('checkout.saveDate')}
      </Button>
      <Button kind="quiet" keys="Esc" onPress={onClose}>
        {t('checkout.keepDate')}
      </Button>
    </form>
  )
}
