// Saves a list as a file, and says how far it is.
import { useText } from '#/i18n/text'
import { Button } from './Button'
import type { useCsv } from './useCsv'

interface Props {
  csv: ReturnType<typeof useCsv>
  small?: boolean
}

export function CsvSave({ csv, small = true }: Props) {
  const t = useText()
  return (
    <>
      <span className="sm soft" role="status">
        {csv.said}
      </span>
      <Button small={small} icon="download" busy={csv.busy} onPress={csv.save}>
        {t('list.csv')}
      </Button>
    </>
  )
}
