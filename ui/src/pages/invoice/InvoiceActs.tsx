// What can be done with an invoice in its state; the next step is the primary one.
import { useNavigate } from '@tanstack/react-router'
import type { Invoice, InvoiceLine } from '#/acquisitions/types'
import { useWord } from '#/acquisitions/words'
import { HistoryButton } from '#/history/HistoryButton'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import type { Task } from './InvoiceTask'

interface Props {
  invoice: Invoice
  lines: readonly InvoiceLine[]
  onTask: (task: Task) => void
}

export function InvoiceActs({ invoice, lines, onTask }: Props) {
  const t = useText()
  const navigate = useNavigate()
  const word = useWord()
  const { id, status } = invoice
  const edit = useNeeds('invoice.invoices.item.put')
  const add = useNeeds('invoice.invoice-lines.item.post')
  const approve = useNeeds('invoice.item.approve.execute')
  const pay = useNeeds('invoice.item.pay.execute')
  const cancel = useNeeds('invoice.item.cancel.execute')
  const isOpen = status === 'Open' || status === 'Reviewed'
  const reasons = {
    add: add.reason ?? (isOpen ? undefined : t('acq.onlyOpenInvoice')),
    approve:
      edit.reason ??
      approve.reason ??
      (isOpen ? undefined : t('acq.onlyOpenInvoice')) ??
      (lines.length ? undefined : t('acq.noLines')),
    pay: edit.reason ?? pay.reason ?? (status === 'Approved' ? undefined : t('acq.onlyApproved')),
    cancel:
      edit.reason ??
      cancel.reason ??
      (status === 'Approved' || status === 'Paid' ? undefined : t('acq.onlyApprovedOrPaid')),
  }
  const goEdit = () => void navigate({ to: '/invoices/$id/edit', params: { id } })
  const goLine = () =>
    void navigate({ to: '/invoices/$id/lines/$lineId/edit', params: { id, lineId: 'new' } })
  useCommands([
    {
      id: 'acq.edit',
      title: 'acq.edit',
      group: 'page',
      keys: 'Alt+E',
      disabled: edit.reason,
      run: goEdit,
    },
    {
      id: 'acq.addLine',
      title: 'acq.addLine',
      group: 'page',
      keys: 'Alt+N',
      disabled: reasons.add,
      run: goLine,
    },
    {
      id: 'acq.approve',
      title: 'acq.invoiceAct.approve',
      group: 'page',
      keys: 'Alt+A',
      disabled: reasons.approve,
      run: () => onTask('approve'),
    },
    {
      id: 'acq.pay',
      title: 'acq.invoiceAct.pay',
      group: 'page',
      keys: 'Alt+P',
      disabled: reasons.pay,
      run: () => onTask('pay'),
    },
  ])
  return (
    <>
      <Button icon="pencil" keys="Alt+E" disabled={edit.reason} onPress={goEdit}>
        {t('acq.edit')}
      </Button>
      {isOpen ? (
        <>
          <Button icon="plus" keys="Alt+N" disabled={reasons.add} onPress={goLine}>
            {t('acq.addLine')}
          </Button>
          <Button
            kind="primary"
            icon="check"
            keys="Alt+A"
            disabled={reasons.approve}
            onPress={() => onTask('approve')}
          >
            {t('acq.invoiceAct.approve')}
          </Button>
        </>
      ) : (
        <>
          <Button kind="danger" icon="x" disabled={reasons.cancel} onPress={() => onTask('cancel')}>
            {t('acq.invoiceAct.cancel')}
          </Button>
          <Button
            kind="primary"
            icon="coins"
            keys="Alt+P"
            disabled={reasons.pay}
            onPress={() => onTask('pay')}
          >
            {t('acq.invoiceAct.pay')}
          </Button>
        </>
      )}
      <HistoryButton kind="invoice" id={invoice.id} name={invoice.vendorInvoiceNo} word={word} />
    </>
  )
}
