// A line is cancelled: nothing more is expected and nothing more is paid; its encumbrances are released.
import { changeLine } from '#/acquisitions/orders'
import { Refused } from '#/acquisitions/Refused'
import type { OrderLine } from '#/acquisitions/types'
import { announce } from '#/app/live'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { ConfirmCard } from '#/ui/ConfirmCard'

export function CancelLine({ line, onClose }: { line: OrderLine; onClose: () => void }) {
  const t = useText()
  const act = useAct()
  const go = async () => {
    const done = await act.run(() =>
      changeLine(line.id, { paymentStatus: 'Cancelled', receiptStatus: 'Cancelled' }),
    )
    if (!done) return
    announce(t('acq.lineCancelled'))
    onClose()
  }
  return (
    <ConfirmCard
      title={t('acq.cancelLineAsk')}
      text={t('acq.cancelLineWhat')}
      act={t('acq.cancelLine')}
      danger
      busy={act.busy}
      onAct={() => void go()}
      onClose={onClose}
    >
      <Refused failure={act.failure} />
    </ConfirmCard>
  )
}
