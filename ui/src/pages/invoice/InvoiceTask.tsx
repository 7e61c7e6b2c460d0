// Approving, paying and cancelling: what follows from it, then the act.
import { useState } from 'react'
import { changeInvoice } from '#/acquisitions/invoices'
import { useMoney } from '#/acquisitions/money'
import { Refused } from '#/acquisitions/Refused'
import type { Invoice } from '#/acquisitions/types'
import { announce } from '#/app/live'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { TextField } from '#/ui/TextField'

export type Task = 'approve' | 'pay' | 'cancel'
const STATUS: Record<Task, string> = { approve: 'Approved', pay: 'Paid', cancel: 'Cancelled' }

interface Props {
  invoice: Invoice
  task: Task
  onClose: () => void
}

export function InvoiceTask({ invoice, task, onClose }: Props) {
  const t = useText()
  const money = useMoney()
  const act = useAct()
  const [note, setNote] = useState('')
  const go = async () => {
    const done = await act.run(() =>
      changeInvoice(invoice.id, {
        status: STATUS[task],
        ...(task === 'cancel' && note.trim() ? { cancellationNote: note.trim() } : {}),
      }),
    )
    if (!done) return
    announce(t(`acq.invoiceDone.${task}`))
    onClose()
  }
  return (
    <ConfirmCard
      title={t(`acq.invoiceAsk.${task}`, {
        amount: money(invoice.total ?? 0, invoice.currency),
      })}
      text={t(`acq.invoiceWhat.${task}`)}
      act={t(`acq.invoiceAct.${task}`)}
      danger={task === 'cancel'}
      busy={act.busy}
      onAct={() => void go()}
      onClose={onClose}
    >
      <Refused failure={act.failure} />
      {task === 'cancel' ? (
        <TextField label={t('acq.note')} mark="optional" value={note} onChange={setNote} />
      ) : null}
    </ConfirmCard>
  )
}
