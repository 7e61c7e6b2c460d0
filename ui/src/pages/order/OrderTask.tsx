// An act on an order, asked about where it was started: what follows from it, perhaps a reason, then the act.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeOrder, ORDERS } from '#/acquisitions/orders'
import { changed, closureQuery } from '#/acquisitions/queries'
import { Refused } from '#/acquisitions/Refused'
import type { Order } from '#/acquisitions/types'
import { remove } from '#/api/client'
import { announce } from '#/app/live'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Fields } from '#/ui/Fields'
import { Radios } from '#/ui/Radios'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'

export type Task = 'open' | 'close' | 'reopen' | 'unopen' | 'delete'

interface Props {
  order: Order
  task: Task
  onClose: (deleted?: boolean) => unknown
}

export function OrderTask({ order, task, onClose }: Props) {
  const t = useText()
  const act = useAct()
  const { data: reasons } = useQuery({ ...closureQuery, enabled: task === 'close' })
  const [reason, setReason] = useState<string>()
  const [note, setNote] = useState('')
  const [holdings, setHoldings] = useState<'keep' | 'delete'>('keep')
  const [tried, setTried] = useState(false)
  const needsReason = task === 'close' && !reason
  const acts: Record<Task, () => Promise<unknown>> = {
    open: () => changeOrder(order.id, { workflowStatus: 'Open' }),
    close: () =>
      changeOrder(order.id, {
        workflowStatus: 'Closed',
        closeReason: { reason, ...(note.trim() ? { note: note.trim() } : {}) },
      }),
    reopen: () => changeOrder(order.id, { workflowStatus: 'Open' }),
    unopen: () =>
      changeOrder(
        order.id,
        { workflowStatus: 'Pending' },
        holdings === 'delete' ? '?deleteHoldings=true' : '',
      ),
    delete: () => remove(`${ORDERS}/${order.id}`),
  }
  const go = async () => {
    setTried(true)
    if (needsReason) return
    if (!(await act.run(acts[task]))) return
    announce(t(`acq.orderDone.${task}`))
    // Away first: what is deleted cannot be read again.
    await onClose(task === 'delete')
    if (task === 'delete') await changed()
  }
  return (
    <ConfirmCard
      title={t(`acq.orderAsk.${task}`)}
      text={t(`acq.orderWhat.${task}`)}
      act={t(`acq.orderAct.${task}`)}
      danger={task === 'delete'}
      busy={act.busy}
      onAct={() => void go()}
      onClose={() => onClose()}
    >
      <Refused failure={act.failure} />
      {task === 'close' ? (
        <Fields wide>
          <Select
            label={t('acq.closeReason')}
            value={reason}
            choices={(reasons ?? []).map((one) => ({ value: one.reason, text: one.reason }))}
            onChange={setReason}
            placeholder={t('acq.choose')}
            help={tried && needsReason ? t('acq.chooseReason') : undefined}
          />
          <TextField label={t('acq.note')} mark="optional" value={note} onChange={setNote} />
        </Fields>
      ) : null}
      {task === 'unopen' ? (
        <Radios
          label={t('ord.holdings')}
          value={holdings}
          choices={[
            { value: 'keep', text: t('ord.unopen.keep') },
            { value: 'delete', text: t('ord.unopen.delete') },
          ]}
          onChange={setHoldings}
        />
      ) : null}
    </ConfirmCard>
  )
}
