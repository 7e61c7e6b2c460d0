// How many rows are selected and what can be done with them; stands where the list's own line stands.
import type { ReactNode } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from './Button'
import styles from './Table.module.css'

interface Props {
  count: number
  total: number
  onClear: () => void
  children: ReactNode
}

export function BulkBar({ count, total, onClear, children }: Props) {
  const t = useText()
  const { number } = useFormats()
  return (
    <div className={styles.bulk}>
      <p className="strong" role="status">
        {t('list.chosen', { count: number(count), total: number(total) })}
      </p>
      {children}
      <span className="push">
        <Button small kind="quiet" keys="Esc" onPress={onClear}>
          {t('list.clear')}
        </Button>
      </span>
    </div>
  )
}
