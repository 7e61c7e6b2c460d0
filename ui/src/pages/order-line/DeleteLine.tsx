// A line is deleted with its titles, pieces and encumbrances.
import { useNavigate } from '@tanstack/react-router'
import { LINES } from '#/acquisitions/orders'
import { changed } from '#/acquisitions/queries'
import { Refused } from '#/acquisitions/Refused'
import type { OrderLine } from '#/acquisitions/types'
import { remove } from '#/api/client'
import { announce } from '#/app/live'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { ConfirmCard } from '#/ui/ConfirmCard'

interface Props {
  orderId: string
  line: OrderLine
  onClose: () => void
}

export function DeleteLine({ orderId, line, onClose }: Props) {
  const t = useText()
  const act = useAct()
  const navigate = useNavigate()
  const go = async () => {
    if (!(await act.run(() => remove(`${LINES}/${line.id}`)))) return
    announce(t('ord.lineDeleted'))
    // The order first: what is deleted cannot be read again.
    await navigate({ to: '/orders/$id', params: { id: orderId } })
    await changed()
  }
  return (
    <ConfirmCard
      title={t('ord.deleteLineAsk')}
      text={t('ord.deleteLineWhat')}
      act={t('acq.orderAct.delete')}
      danger
      busy={act.busy}
      onAct={() => void go()}
      onClose={onClose}
    >
      <Refused failure={act.failure} />
    </ConfirmCard>
  )
}
