// What can be done with holdings.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useText } from '#/i18n/text'
import type { Holdings } from '#/inventory/types'
import { useActs } from '#/inventory/useActs'
import { useIsMarc } from '#/inventory/useIsMarc'
import { usePermission } from '#/inventory/usePermission'
import { removeHoldings } from '#/marc/removeHoldings'
import type { Act } from '#/ui/Menu'
import { MoveElsewhere } from './MoveElsewhere'

export function useHoldingsActs(holdings: Holdings) {
  const t = useText()
  const navigate = useNavigate()
  const { ask, dialogs } = useActs()
  const mayEdit = usePermission('inventory-storage.holdings.item.put')
  const mayAdd = usePermission('inventory-storage.holdings.item.post')
  const mayDelete = usePermission('inventory-storage.holdings.item.delete')
  const mayMove = usePermission('inventory.holdings.move.item.post')
  const isMarc = useIsMarc()(holdings)
  const [moving, setMoving] = useState(false)
  const params = { instanceId: holdings.instanceId, holdingsId: holdings.id }
  const name = holdings.hrid ?? holdings.id
  const acts: (Act | 'line')[] = [
    {
      id: 'view',
      text: t('inventory.view'),
      icon: 'eye',
      run: () => navigate({ to: '/inventory/$instanceId/holdings/$holdingsId', params }),
    },
    {
      id: 'edit',
      text: t('inventory.edit'),
      icon: 'pencil',
      disabled: mayEdit.reason,
      run: () => navigate({ to: '/inventory/$instanceId/holdings/$holdingsId/edit', params }),
    },
    {
      id: 'marc',
      text: t('inventory.marcOfHoldings'),
      icon: 'file-pen-line',
      disabled: isMarc ? undefined : t('inventory.noMarcOfHoldings'),
      run: () => navigate({ to: '/inventory/$instanceId/holdings/$holdingsId/marc', params }),
    },
    {
      id: 'copy',
      text: t('inventory.duplicate'),
      icon: 'copy',
      disabled: mayAdd.reason,
      run: () =>
        navigate({
          to: '/inventory/$instanceId/holdings/new',
          params: { instanceId: holdings.instanceId },
          search: { like: holdings.id },
        }),
    },
    {
      id: 'move',
      text: t('inventory.moveToTitle'),
      icon: 'arrow-left-right',
      disabled: mayMove.reason,
      run: () => setMoving(true),
    },
    'line',
    {
      id: 'delete',
      text: t('inventory.delete'),
      icon: 'trash-2',
      disabled: mayDelete.reason,
      run: () =>
        ask(
          {
            title: t('inventory.deleteHoldings', { name }),
            text: t('inventory.noUndo'),
            act: t('inventory.deleteDo'),
            run: () => removeHoldings(holdings.id, isMarc),
          },
          t('inventory.deleted', { name }),
        ),
    },
  ]
  const problem = (
    <>
      {dialogs}
      {moving ? (
        <MoveElsewhere
          kind="holdings"
          ids={[holdings.id]}
          from={holdings.instanceId}
          onDone={(instanceId) => {
            setMoving(false)
            // Where they are now: there is nothing left to see of them here.
            if (instanceId) void navigate({ to: '/inventory/$instanceId', params: { instanceId } })
          }}
        />
      ) : null}
    </>
  )
  return Object.assign(acts, { problem })
}
