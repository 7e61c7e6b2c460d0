// A filter in words that a press takes away.
import { useText } from '#/i18n/text'
import styles from './Chip.module.css'
import { Icon } from './Icon'

export function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  const t = useText()
  return (
    <span className={styles.chip}>
      <bdi className="cut">{text}</bdi>
      <button type="button" aria-label={t('list.remove', { name: text })} onClick={onRemove}>
        <Icon name="x" />
      </button>
    </span>
  )
}
