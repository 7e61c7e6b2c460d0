// Fields side by side where there is room, one below the other where there is not.
import type { ReactNode } from 'react'
import { cx } from './cx'
import styles from './Fields.module.css'

export function Fields({ children, wide }: { children: ReactNode; wide?: boolean }) {
  return <div className={cx(styles.fields, wide && styles.wide)}>{children}</div>
}

/** A part of a form: heading, then what belongs together. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.part}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}
