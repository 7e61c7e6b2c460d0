// Which rows are in view, and whether some could not be had.
import type { ReactNode } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from './Button'
import { cx } from './cx'
import { page } from './Page'

interface Props {
  first: number
  last: number
  total: number
  error?: unknown
  retry?: () => void
  /** What the list does not reach, or a jump. */
  children?: ReactNode
}

export function ListFoot({ first, last, total, error, retry, children }: Props) {
  const t = useText()
  const { number } = useFormats()
  const values = { first: number(first + 1), last: number(last + 1), total: number(total) }
  return (
    <div className={cx(page.foot, 'sm')}>
      <p className="muted">{total ? t('list.rows', values) : t('list.total', { count: 0 })}</p>
      {error ? (
        <span className="row">
          <span role="alert">{t('list.rowFailed')}</span>
          <Button small icon="rotate-ccw" onPress={retry}>
            {t('shell.tryAgain')}
          </Button>
        </span>
      ) : null}
      {children ? <span className="row push">{children}</span> : null}
    </div>
  )
}
