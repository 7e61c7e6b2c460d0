// Selected items, and the holdings of this title that they can be moved to.
import { post } from '#/api/client'
import { useText } from '#/i18n/text'
import type { Holdings } from '#/inventory/types'
import { useActs } from '#/inventory/useActs'
import { usePermission } from '#/inventory/usePermission'
import { usePlace } from '#/inventory/usePlace'
import { useFormats } from '#/lib/format'
import { BulkBar } from '#/ui/BulkBar'
import { Button } from '#/ui/Button'
import { Menu } from '#/ui/Menu'

interface Props {
  holdings: Holdings
  others: readonly Holdings[]
  ids: readonly string[]
  total: number
  onDone: () => void
}

export function MoveItems({ others, ids, total, onDone }: Props) {
  const t = useText()
  const { number } = useFormats()
  const place = usePlace()
  const { run, dialogs } = useActs()
  const may = usePermission('inventory.items.move.item.post')
  const reason = may.reason ?? (others.length ? undefined : t('inventory.noOtherHoldings'))
  return (
    <BulkBar count={ids.length} total={total} onClear={onDone}>
      <Menu
        label={t('inventory.moveTo')}
        trigger={
          <Button small icon="arrow-left-right" disabled={reason}>
            {t('inventory.moveTo')}
          </Button>
        }
        acts={others.map((one) => ({
          id: one.id,
          text: place(one.effectiveLocationId ?? one.permanentLocationId),
          disabled: reason,
          run: () =>
            run(t('inventory.moved', { count: number(ids.length) }), async () => {
              const body = { toHoldingsRecordId: one.id, itemIds: ids }
              await post('/inventory/items/move', body)
              onDone()
            }),
        }))}
      />
      {dialogs}
    </BulkBar>
  )
}
