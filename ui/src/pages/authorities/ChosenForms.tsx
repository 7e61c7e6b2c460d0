// What can be done with the selected headings. Several forms of a heading are one authority.
import { useText } from '#/i18n/text'
import { download } from '#/lib/download'
import { useMarcSave } from '#/transfer/useMarcSave'
import { BulkBar } from '#/ui/BulkBar'
import { Button } from '#/ui/Button'

interface Props {
  /** Keys of rows, which begin with the authority's id. */
  keys: ReadonlySet<string>
  total: number
  onClear: () => void
}

export function ChosenForms({ keys, total, onClear }: Props) {
  const t = useText()
  const marc = useMarcSave('AUTHORITY', 'authorities')
  const ids = [...new Set([...keys].map((key) => key.split(' ', 1)[0] ?? ''))]
  return (
    <BulkBar count={keys.size} total={total} onClear={onClear}>
      <Button
        small
        icon="download"
        busy={marc.busy}
        disabled={marc.reason}
        onPress={() => marc.save(async () => ids)}
      >
        {t('list.saveMarc')}
      </Button>
      <Button
        small
        icon="download"
        onPress={() => download('authorities.csv', `${ids.join('\n')}\n`)}
      >
        {t('inventory.saveIds')}
      </Button>
      <span className="sm soft" role="status">
        {marc.said}
      </span>
    </BulkBar>
  )
}
