// The encumbrances of an order that a rollover left behind are made in the new fiscal year.
import { ORDERS } from '#/acquisitions/orders'
import { changed } from '#/acquisitions/queries'
import { Refused } from '#/acquisitions/Refused'
import type { Order } from '#/acquisitions/types'
import { post } from '#/api/client'
import { announce } from '#/app/live'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'

export function ReEncumber({ order }: { order: Order }) {
  const t = useText()
  const act = useAct()
  const { reason } = useNeeds('orders.re-encumber.item.post')
  const go = async () => {
    if (!(await act.run(() => post(`${ORDERS}/${order.id}/re-encumber`, {})))) return
    await changed()
    announce(t('ord.reEncumbered'))
  }
  return (
    <div className="stack tight">
      <div className="row">
        <Button small icon="refresh-cw" busy={act.busy} disabled={reason} onPress={() => void go()}>
          {t('ord.reEncumber')}
        </Button>
      </div>
      <Refused failure={act.failure} />
    </div>
  )
}
