// What can be done with an order in its state; the rest stays visible with the reason.
import { useNavigate } from '@tanstack/react-router'
import type { Order } from '#/acquisitions/types'
import { useWord } from '#/acquisitions/words'
import { HistoryButton } from '#/history/HistoryButton'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { type Act, Menu } from '#/ui/Menu'
import type { Task } from './OrderTask'

export function OrderActs({ order, onTask }: { order: Order; onTask: (task: Task) => void }) {
  const t = useText()
  const navigate = useNavigate()
  const word = useWord()
  const { id, workflowStatus: status } = order
  const edit = useNeeds('orders.item.put')
  const addLine = useNeeds('orders.po-lines.item.post')
  const reopen = useNeeds('orders.item.reopen')
  const unopen = useNeeds('orders.item.unopen')
  const remove = useNeeds('orders.item.delete')
  const invoice = useNeeds('invoice.invoices.item.post')
  const only = (wanted: string, why: string) => (status === wanted ? undefined : why)
  const reasons = {
    edit: edit.reason,
    addLine: addLine.reason ?? only('Pending', t('acq.onlyPending')),
    open:
      edit.reason ??
      only('Pending', t('acq.onlyPending')) ??
      (order.compositePoLines?.length ? undefined : t('acq.code.compositeOrderMissingPoLines')),
    close: edit.reason ?? only('Open', t('acq.onlyOpen')),
    reopen: edit.reason ?? reopen.reason ?? only('Closed', t('acq.onlyClosed')),
    unopen: edit.reason ?? unopen.reason ?? only('Open', t('acq.onlyOpen')),
    invoice: invoice.reason ?? (status === 'Pending' ? t('acq.notPending') : undefined),
  }
  const goEdit = () => void navigate({ to: '/orders/$id/edit', params: { id } })
  const goLine = () =>
    void navigate({ to: '/orders/$id/lines/$lineId/edit', params: { id, lineId: 'new' } })
  const goInvoice = () =>
    void navigate({ to: '/invoices/$id/edit', params: { id: 'new' }, search: { of: [id] } })
  useCommands([
    {
      id: 'acq.edit',
      title: 'acq.edit',
      group: 'page',
      keys: 'Alt+E',
      disabled: reasons.edit,
      run: goEdit,
    },
    {
      id: 'acq.addLine',
      title: 'acq.addLine',
      group: 'page',
      keys: 'Alt+N',
      disabled: reasons.addLine,
      run: goLine,
    },
    {
      id: 'acq.openOrder',
      title: 'acq.openOrder',
      group: 'page',
      keys: 'Alt+O',
      disabled: reasons.open,
      run: () => onTask('open'),
    },
    {
      id: 'acq.newInvoice',
      title: 'acq.newInvoice',
      group: 'page',
      keys: 'Alt+I',
      disabled: reasons.invoice,
      run: goInvoice,
    },
  ])
  const acts: (Act | 'line')[] = [
    {
      id: 'close',
      text: t('acq.closeOrder'),
      disabled: reasons.close,
      run: () => onTask('close'),
    },
    {
      id: 'reopen',
      text: t('acq.reopenOrder'),
      disabled: reasons.reopen,
      run: () => onTask('reopen'),
    },
    {
      id: 'unopen',
      text: t('acq.unopenOrder'),
      disabled: reasons.unopen,
      run: () => onTask('unopen'),
    },
    'line',
    {
      id: 'delete',
      text: t('acq.deleteOrder'),
      icon: 'trash-2',
      disabled: remove.reason,
      run: () => onTask('delete'),
    },
  ]
  return (
    <>
      <Button icon="pencil" keys="Alt+E" disabled={reasons.edit} onPress={goEdit}>
        {t('acq.edit')}
      </Button>
      {status === 'Pending' ? (
        <>
          <Button icon="plus" keys="Alt+N" disabled={reasons.addLine} onPress={goLine}>
            {t('acq.addLine')}
          </Button>
          <Button
            kind="primary"
            icon="check"
            keys="Alt+O"
            disabled={reasons.open}
            onPress={() => onTask('open')}
          >
            {t('acq.openOrder')}
          </Button>
        </>
      ) : (
        <Button
          kind="primary"
          icon="receipt-text"
          keys="Alt+I"
          disabled={reasons.invoice}
          onPress={goInvoice}
        >
          {t('acq.newInvoice')}
        </Button>
      )}
      <HistoryButton kind="order" id={id} name={order.poNumber ?? ''} word={word} />
      <Menu
        label={t('acq.more')}
        acts={acts}
        trigger={<Button icon="ellipsis" aria-label={t('acq.more')} />}
      />
    </>
  )
}
