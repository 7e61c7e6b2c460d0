// The field that pieces are checked in by: a barcode, Enter, and the next expected piece is here. What was refused
// stays in the field.
import { type FormEvent, useRef, useState } from 'react'
import styles from '#/acquisitions/acquisitions.module.css'
import { Refused } from '#/acquisitions/Refused'
import { checkIn } from '#/acquisitions/receive'
import type { Piece } from '#/acquisitions/types'
import { announce } from '#/app/live'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { TextField } from '#/ui/TextField'

interface Props {
  next: Piece | undefined
  left: number
  /** Why nothing can be checked in yet. */
  blocked: string | undefined
}

export function ScanPiece({ next, left, blocked }: Props) {
  const t = useText()
  const { number } = useFormats()
  const { reason } = useNeeds('orders.check-in.collection.post')
  const act = useAct()
  const field = useRef<HTMLInputElement>(null)
  const [barcode, setBarcode] = useState('')
  const disabled = reason ?? blocked ?? (next ? undefined : t('acq.nothingExpected'))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const typed = barcode.trim()
    if (!next || !typed || disabled) return
    if (!(await act.run(() => checkIn(next, typed)))) return
    setBarcode('')
    announce(t('acq.checkedIn', { barcode: typed }))
    field.current?.focus()
  }
  return (
    <form className="stack tight" onSubmit={(event) => void submit(event)} noValidate>
      <div className={styles.bar}>
        <div className={styles.scan}>
          <TextField
            label={t('acq.scanPiece')}
            help={
              disabled ??
              t('acq.scanNext', { left: number(left), piece: next?.displaySummary ?? 'none' })
            }
            value={barcode}
            onChange={setBarcode}
            isReadOnly={Boolean(disabled)}
            inputRef={field}
          />
        </div>
        <span className={styles.beside}>
          <Button type="submit" icon="scan-barcode" busy={act.busy} disabled={disabled}>
            {t('acq.checkIn')}
          </Button>
        </span>
      </div>
      <Refused failure={act.failure} />
    </form>
  )
}
