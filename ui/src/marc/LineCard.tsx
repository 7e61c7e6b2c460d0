// What is looked up for a field, in a card below it; Esc leaves it.
import type { ReactNode } from 'react'
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import styles from './marc.module.css'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
}

export function LineCard({ title, onClose, children }: Props) {
  const t = useText()
  return (
    <search
      className={styles.choose}
      aria-label={title}
      // A record runs from left to right in every language, the words of this card do not.
      dir={document.documentElement.dir}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
    >
      <div className="row">
        <h2 className="grow">{title}</h2>
        <Button small kind="quiet" keys="Esc" onPress={onClose}>
          {t('forms.back')}
        </Button>
      </div>
      {children}
    </search>
  )
}
