// A repeatable field: its name, its lines, and a button for another line.
import { type ReactNode, useId } from 'react'
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import styles from './form.module.css'

interface Props {
  label: string
  locked?: string
  onAdd: () => void
  children: ReactNode
}

export function Group({ label, locked, onAdd, children }: Props) {
  const t = useText()
  const id = useId()
  return (
    <section className={styles.group} aria-labelledby={id}>
      <div className="row">
        <p id={id} className="medium sm">
          {label}
        </p>
        {locked ? (
          <span className="sm muted">{locked}</span>
        ) : (
          <Button
            small
            kind="quiet"
            icon="plus"
            aria-label={t('inventory.addOf', { name: label })}
            onPress={onAdd}
          >
            {t('inventory.add')}
          </Button>
        )}
      </div>
      {children}
    </section>
  )
}
