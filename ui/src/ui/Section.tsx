// A part of a record under its heading; the heading folds it.
import { type ReactNode, useId, useState } from 'react'
import { Icon } from './Icon'
import styles from './Section.module.css'

interface Props {
  title: string
  count?: string
  /** Acts at the end of the heading's line. */
  acts?: ReactNode
  closed?: boolean
  children: ReactNode
}

export function Section({ title, count, acts, closed, children }: Props) {
  const id = useId()
  const [open, setOpen] = useState(!closed)
  return (
    <section aria-labelledby={id}>
      <header className={styles.head}>
        <h2>
          <button type="button" id={id} aria-expanded={open} onClick={() => setOpen(!open)}>
            <Icon name={open ? 'chevron-down' : 'chevron-right'} />
            {title}
            {count === undefined ? null : <span className="n">{count}</span>}
          </button>
        </h2>
        {acts ? <span className="row push">{acts}</span> : null}
      </header>
      {open ? <div className={styles.body}>{children}</div> : null}
    </section>
  )
}
