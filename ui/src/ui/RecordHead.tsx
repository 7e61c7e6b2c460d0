// The head of a record: way back, name, one quiet line, acts at the end.
import { type ReactNode, useEffect } from 'react'
import { cx } from './cx'
import { page } from './Page'

interface Props {
  title: string
  /** Where the record stands: links and its own id. */
  path: ReactNode
  sub?: ReactNode
  children?: ReactNode
}

export function RecordHead({ title, path, sub, children }: Props) {
  useEffect(() => {
    document.title = `${title} – Octavo`
  }, [title])
  return (
    <div className={cx(page.head, page.record)}>
      <div className="grow stack tight">
        <p className="sm muted">{path}</p>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {sub ? <p className="soft">{sub}</p> : null}
      </div>
      {children ? <div className={page.acts}>{children}</div> : null}
    </div>
  )
}
