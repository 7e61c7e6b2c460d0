// The holdings of a title, each with its items.
import { useNavigate } from '@tanstack/react-router'
import type { Request } from '#/api/types'
import { useText } from '#/i18n/text'
import type { Holdings, Instance } from '#/inventory/types'
import { usePermission } from '#/inventory/usePermission'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { HoldingsPart } from './HoldingsPart'

interface Props {
  instance: Instance
  holdings: readonly Holdings[]
  requests: readonly Request[]
}

/** Of more holdings the items are asked for when they are opened. */
const OPEN_MAX = 10

export function HoldingsList({ instance, holdings, requests }: Props) {
  const t = useText()
  const navigate = useNavigate()
  const may = usePermission('inventory-storage.holdings.item.post')
  if (!holdings.length) {
    return (
      <Empty icon="library" title={t('inventory.noHoldings')} text={t('inventory.noHoldingsWhat')}>
        <Button
          icon="plus"
          disabled={may.reason}
          onPress={() =>
            navigate({
              to: '/inventory/$instanceId/holdings/new',
              params: { instanceId: instance.id },
            })
          }
        >
          {t('inventory.addHoldings')}
        </Button>
      </Empty>
    )
  }
  return holdings.map((one, at) => (
    <HoldingsPart
      key={one.id}
      holdings={one}
      others={holdings.filter((other) => other.id !== one.id)}
      requests={requests}
      closed={at >= OPEN_MAX}
    />
  ))
}
