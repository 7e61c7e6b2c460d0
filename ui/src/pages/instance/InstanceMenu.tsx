// What else can be done with a title.
import { useNavigate } from '@tanstack/react-router'
import { remove } from '#/api/client'
import { useText } from '#/i18n/text'
import { lastSearch } from '#/inventory/lastSearch'
import type { Instance } from '#/inventory/types'
import { useActs } from '#/inventory/useActs'
import { usePermission } from '#/inventory/usePermission'
import { useMarcSave } from '#/transfer/useMarcSave'
import { Button } from '#/ui/Button'
import { Menu } from '#/ui/Menu'

export function InstanceMenu({
  instance,
  hasHoldings,
}: {
  instance: Instance
  hasHoldings: boolean
}) {
  const t = useText()
  const navigate = useNavigate()
  const { ask, dialogs } = useActs()
  const mayCreate = usePermission('inventory.instances.item.post')
  const mayHold = usePermission('inventory-storage.holdings.item.post')
  const mayMarc = usePermission('marc-records-editor.item.post')
  const mayDelete = usePermission('inventory.instances.item.delete')
  const mayRequest = usePermission('circulation.requests.item.post')
  const marc = useMarcSave('INSTANCE', instance.hrid ?? instance.id)
  const label = t('inventory.moreActions')
  return (
    <>
      <span className="sm soft" role="status">
        {marc.said}
      </span>
      <Menu
        label={label}
        trigger={<Button icon="ellipsis" aria-label={label} />}
        acts={[
          {
            id: 'holdings',
            text: t('inventory.addHoldings'),
            icon: 'plus',
            disabled: mayHold.reason,
            run: () =>
              navigate({
                to: '/inventory/$instanceId/holdings/new',
                params: { instanceId: instance.id },
              }),
          },
          {
            id: 'marcHoldings',
            text: t('inventory.addMarcHoldings'),
            icon: 'file-pen-line',
            disabled: mayMarc.reason,
            run: () =>
              navigate({
                to: '/inventory/$instanceId/holdings/$holdingsId/marc/edit',
                params: { instanceId: instance.id, holdingsId: 'new' },
              }),
          },
          {
            id: 'copy',
            text: t('inventory.duplicate'),
            icon: 'copy',
            disabled: mayCreate.reason,
            run: () => navigate({ to: '/inventory/new', search: { like: instance.id } }),
          },
          {
            id: 'request',
            text: t('inventory.newRequest'),
            icon: 'inbox',
            disabled: mayRequest.reason,
            run: () => navigate({ to: '/requests/new', search: { instance: instance.id } }),
          },
          {
            id: 'marc',
            text: t('list.saveMarc'),
            icon: 'download',
            disabled: marc.reason,
            run: () => marc.save(async () => [instance.id]),
          },
          'line',
          {
            id: 'setForDeletion',
            text: t('inventory.setForDeletion'),
            icon: 'ban',
            disabled: mayDelete.reason ?? (instance.deleted ? t('inventory.isSet') : undefined),
            run: () =>
              ask(
                {
                  title: t('inventory.setForDeletionAsk', { name: instance.title }),
                  text: t('inventory.setForDeletionWhat'),
                  act: t('inventory.setForDeletionDo'),
                  run: () => remove(`/inventory/instances/${instance.id}/mark-deleted`),
                },
                t('inventory.setForDeletionDone', { name: instance.title }),
              ),
          },
          {
            id: 'delete',
            text: t('inventory.delete'),
            icon: 'trash-2',
            disabled: mayDelete.reason ?? (hasHoldings ? t('inventory.hasHoldings') : undefined),
            run: () =>
              ask(
                {
                  title: t('inventory.deleteInstance', { name: instance.title }),
                  text: t('inventory.noUndo'),
                  act: t('inventory.deleteDo'),
                  run: async () => {
                    await remove(`/inventory/instances/${instance.id}`)
                    await navigate({ to: '/inventory', search: lastSearch() })
                  },
                },
                t('inventory.deleted', { name: instance.title }),
              ),
          },
        ]}
      />
      {dialogs}
    </>
  )
}
