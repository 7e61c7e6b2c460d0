// Shows the facets where the page is too narrow to have them beside the list; names how many are chosen.
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from './Button'
import styles from './Facets.module.css'

interface Props {
  shown: boolean
  count: number
  onShow: (shown: boolean) => void
}

export function NarrowButton({ shown, count, onShow }: Props) {
  const t = useText()
  const { number } = useFormats()
  return (
    <span className={styles.narrow}>
      <Button
        icon="list-filter"
        aria-expanded={shown}
        aria-controls="facets"
        onPress={() => onShow(!shown)}
      >
        {t('list.narrow')}
        {count ? <span className="n">{number(count)}</span> : null}
      </Button>
    </span>
  )
}
