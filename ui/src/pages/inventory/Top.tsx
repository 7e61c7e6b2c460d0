// The head of the inventory: what is searched in, browsing, new records; with their keys. Not drawn with each letter.
import { useNavigate } from '@tanstack/react-router'
import { memo, type RefObject } from 'react'
import { useText } from '#/i18n/text'
import { SEGMENTS, type Segment } from '#/inventory/search'
import { usePermission } from '#/inventory/usePermission'
import type { UrlSearch } from '#/inventory/useUrl'
import { useCommands } from '#/keys/useCommands'
import { Button } from '#/ui/Button'
import { Head } from '#/ui/Page'
import { Segmented } from '#/ui/Segmented'

interface Props {
  segment: Segment
  change: UrlSearch['change']
  /** The search words. */
  input: RefObject<HTMLInputElement | null>
}

export const Top = memo(({ segment, change, input }: Props) => {
  const t = useText()
  const navigate = useNavigate()
  const mayCreate = usePermission('inventory.instances.item.post')
  const mayMarc = usePermission('marc-records-editor.item.post')
  const create = () => void navigate({ to: '/inventory/new', search: {} })
  const createMarc = () =>
    void navigate({
      to: '/inventory/$instanceId/marc/edit',
      params: { instanceId: 'new' },
    })
  const browse = () => void navigate({ to: '/inventory/browse', search: {} })
  useCommands([
    {
      id: 'inventory.focus',
      title: 'inventory.toSearch',
      group: 'page',
      keys: 'Alt+H',
      run: () => input.current?.select(),
    },
    {
      id: 'inventory.new',
      title: 'inventory.newInstance',
      group: 'page',
      keys: 'Alt+N',
      disabled: mayCreate.reason,
      run: create,
    },
    {
      id: 'inventory.newMarc',
      title: 'inventory.newMarc',
      group: 'page',
      keys: 'Alt+M',
      disabled: mayMarc.reason,
      run: createMarc,
    },
    {
      id: 'inventory.browse',
      title: 'inventory.browse',
      group: 'page',
      keys: 'Alt+B',
      run: browse,
    },
  ])
  return (
    <Head
      title={t('inventory.inventory')}
      beside={
        <Segmented<Segment>
          label={t('inventory.searchIn')}
          value={segment}
          choices={SEGMENTS.map((value) => ({ value, text: t(`inventory.in.${value}`) }))}
          onChange={(value) =>
            change({
              in: value === 'instances' ? undefined : value,
              by: undefined,
              f: undefined,
              lines: undefined,
            })
          }
        />
      }
    >
      <Button kind="quiet" icon="list-tree" wideOnly onPress={browse}>
        {t('inventory.browse')}
      </Button>
      <Button
        icon="file-pen-line"
        keys="Alt+M"
        wideOnly
        disabled={mayMarc.reason}
        onPress={createMarc}
      >
        {t('inventory.newMarc')}
      </Button>
      <Button kind="primary" icon="plus" keys="Alt+N" disabled={mayCreate.reason} onPress={create}>
        {t('inventory.new')}
      </Button>
    </Head>
  )
})
