// The parts of a page inside the sheet: head, panes, foot. A page takes one of the kinds of look.md,
// section 2; this file has their frames.
import { type ReactNode, useEffect } from 'react'
import { cx } from './cx'
import styles from './Page.module.css'

export { styles as page }

interface HeadProps {
  title: string
  sub?: ReactNode
  /** Stands beside the title, such as a choice of segments. */
  beside?: ReactNode
  children?: ReactNode
}

/** Title of the page, one quiet line, acts at the end; also the document's title. */
export function Head({ title, sub, beside, children }: HeadProps) {
  useEffect(() => {
    document.title = `${title} – Octavo`
  }, [title])
  return (
    <div className={styles.head}>
      <h1>{title}</h1>
      {beside}
      {sub ? <p className={styles.sub}>{sub}</p> : null}
      {children ? <div className={styles.acts}>{children}</div> : null}
    </div>
  )
}

/** Work at the start, what follows from it at the end. */
export function SideAtEnd({
  children,
  side,
  label,
}: {
  children: ReactNode
  side: ReactNode
  label: string
}) {
  return (
    <div className={styles.split}>
      <div>{children}</div>
      <aside className={cx(styles.side, 'stack far')} aria-label={label}>
        {side}
      </aside>
    </div>
  )
}
