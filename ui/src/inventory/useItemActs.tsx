// What can be done with an item, for menus: edit, copy, give a status, delete.
import { useNavigate } from '@tanstack/react-router'
import { post, remove } from '#/api/client'
import { useSelf } from '#/api/self'
import { useText } from '#/i18n/text'
import type { Act } from '#/ui/Menu'
import { MARKS, markPermission } from './marks'
import { useStatusWord } from './status'
import { useActs } from './useActs'

interface Acted {
  id: string
  barcode?: string
  holdingsRecordId?: string
  status: { name: string }
}

export function useItemActs(instanceId: string, item: Acted, onGone?: () => Promise<void>) {
  const t = useText()
  const word = useStatusWord()
  const navigate = useNavigate()
  const { permissions } = useSelf()
  const { run, ask, dialogs } = useActs()
  const params = { instanceId, itemId: item.id }
  const lacks = (permission: string) =>
    permissions.has(permission) ? undefined : t('shell.needsPermission', { permission })
  const name = item.barcode ?? item.id
  const acts: (Act | 'line')[] = [
    {
      id: 'edit',
      text: t('inventory.edit'),
      icon: 'pencil',
      disabled: lacks('inventory.items.item.put'),
      run: () => navigate({ to: '/inventory/$instanceId/items/$itemId/edit', params }),
    },
    {
      id: 'copy',
      text: t('inventory.duplicate'),
      icon: 'copy',
      disabled: lacks('inventory.items.item.post'),
      run: () =>
        navigate({
          to: '/inventory/$instanceId/items/new',
          params: { instanceId },
          search: { like: item.id, holdings: item.holdingsRecordId },
        }),
    },
    'line',
    ...MARKS.map(({ route, status }): Act => {
      const same = item.status.name === status ? t('inventory.isAlready') : undefined
      return {
        id: route,
        text: t('inventory.markAs', { status: word(status) }),
        disabled: same ?? lacks(markPermission(route)),
        run: () =>
          run(`${word(status)}, ${name}`, () => post(`/inventory/items/${item.id}/${route}`, {})),
      }
    }),
    'line',
    {
      id: 'delete',
      text: t('inventory.delete'),
      icon: 'trash-2',
      disabled: lacks('inventory.items.item.delete'),
      run: () =>
        ask(
          {
            title: t('inventory.deleteItem', { name }),
            text: t('inventory.noUndo'),
            act: t('inventory.deleteDo'),
            run: async () => {
              await remove(`/inventory/items/${item.id}`)
              // The page goes before its record is asked for again.
              await onGone?.()
            },
          },
          t('inventory.deleted', { name }),
        ),
    },
  ]
  return { acts, dialogs }
}
