// A repeatable field: its name, its lines, and a button for another line.
import { type ReactNode, useId } from 'react'
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import styles from './form.module.css'

interface Props {
  label: string
  /** Inside a row of another list. */
  inner?: boolean
  locked?: string
  onAdd: () => void
  children: ReactNode
}

export function Group({ label, inner, locked, onAdd, children }: Props) {
  const t = useText()
  const id = useId()
  return (
    <section
      className={styles.group}
      // The same name comes again in each row of a list of lists: no landmark.
      role={inner ? 'group' : undefined}
      aria-labelledby={id}
    >
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
