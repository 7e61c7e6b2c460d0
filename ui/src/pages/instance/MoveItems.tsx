// Selected items, and the holdings that they can be moved to: of this title, or of another one.
import { useState } from 'react'
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
import { MoveElsewhere } from './MoveElsewhere'

interface Props {
  holdings: Holdings
  others: readonly Holdings[]
  ids: readonly string[]
  total: number
  onDone: () => void
}

export function MoveItems({ holdings, others, ids, total, onDone }: Props) {
  const t = useText()
  const { number } = useFormats()
  const place = usePlace()
  const { run, dialogs } = useActs()
  const may = usePermission('inventory.items.move.item.post')
  const [elsewhere, setElsewhere] = useState(false)
  return (
    <>
      <BulkBar count={ids.length} total={total} onClear={onDone}>
        <Menu
          label={t('inventory.moveTo')}
          trigger={
            <Button small icon="arrow-left-right" disabled={may.reason}>
              {t('inventory.moveTo')}
            </Button>
          }
          acts={[
            ...others.map((one) => ({
              id: one.id,
              text: place(one.effectiveLocationId ?? one.permanentLocationId),
              run: () =>
                run(t('inventory.moved', { count: number(ids.length) }), async () => {
                  const body = { toHoldingsRecordId: one.id, itemIds: ids }
                  await post('/inventory/items/move', body)
                  onDone()
                }),
            })),
            {
              id: 'elsewhere',
              text: t('inventory.otherTitle'),
              icon: 'book',
              run: () => setElsewhere(true),
            },
          ]}
        />
        {dialogs}
      </BulkBar>
      {elsewhere ? (
        <MoveElsewhere
          kind="items"
          ids={ids}
          from={holdings.instanceId}
          onDone={(movedTo) => {
            setElsewhere(false)
            if (movedTo) onDone()
          }}
        />
      ) : null}
    </>
  )
}
