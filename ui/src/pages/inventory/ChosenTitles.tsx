// What can be done with the selected titles.
import { useText } from '#/i18n/text'
import type { UrlSearch } from '#/inventory/useUrl'
import { download } from '#/lib/download'
import { useMarcSave } from '#/transfer/useMarcSave'
import { BulkBar } from '#/ui/BulkBar'
import { Button } from '#/ui/Button'

interface Props {
  ids: ReadonlySet<string>
  total: number
  url: UrlSearch
  onClear: () => void
}

export function ChosenTitles({ ids, total, url, onClear }: Props) {
  const t = useText()
  const marc = useMarcSave('INSTANCE', 'titles')
  const show = () => {
    const query = `id==(${[...ids].map((id) => `"${id}"`).join(' or ')})`
    url.change({ by: 'query', q: query, f: undefined, lines: undefined })
    onClear()
  }
  return (
    <BulkBar count={ids.size} total={total} onClear={onClear}>
      <Button small icon="eye" onPress={show}>
        {t('inventory.showChosen')}
      </Button>
      <Button
        small
        icon="download"
        onPress={() => download('instances.csv', `${[...ids].join('\n')}\n`)}
      >
        {t('inventory.saveIds')}
      </Button>
      <Button
        small
        icon="download"
        busy={marc.busy}
        disabled={marc.reason}
        onPress={() => marc.save(async () => [...ids])}
      >
        {t('list.saveMarc')}
      </Button>
      <span className="sm soft" role="status">
        {marc.said}
      </span>
    </BulkBar>
  )
}
