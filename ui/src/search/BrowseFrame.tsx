// A list of headings in their order, entered at any place.
import type { FormEvent, ReactNode } from 'react'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import field from '#/ui/Field.module.css'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Skeleton } from '#/ui/Skeleton'
import { type Column, rowsOf, Table } from '#/ui/Table'
import styles from './browse.module.css'

export type Way = 'around' | 'after' | 'before'

interface Props<T> {
  path: ReactNode
  lists: readonly { id: string; text: string }[]
  /** The id of the list that is shown. */
  list: string
  from: string
  /** The part that is here; of a part before, which is another one. */
  part: { items: readonly T[]; totalRecords: number; prev?: string; next?: string } | undefined
  isStale: boolean
  error: unknown
  retry: () => void
  columns: readonly Column<T>[]
  keyOf: (heading: T) => string
  nameOf: (heading: T) => string
  onOpen: (heading: T) => void
  onList: (id: string) => void
  onGo: (from: string, way: Way) => void
}

export function BrowseFrame<T>(props: Props<T>) {
  const { path, lists, list, from, part, isStale, error, retry, onList, onGo } = props
  const t = useText()
  const { number } = useFormats()
  const label = lists.find(({ id }) => id === list)?.text ?? ''
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onGo(String(new FormData(event.currentTarget).get('from') ?? ''), 'around')
  }
  const after = () => part?.next && onGo(part.next, 'after')
  const before = () => part?.prev && onGo(part.prev, 'before')
  const noneAfter = part?.next ? undefined : t('inventory.listEnds')
  const noneBefore = part?.prev ? undefined : t('inventory.listEnds')
  useCommands([
    {
      id: 'browse.next',
      title: 'inventory.next',
      group: 'page',
      keys: 'Alt+PageDown',
      disabled: noneAfter,
      run: after,
    },
    {
      id: 'browse.previous',
      title: 'inventory.previous',
      group: 'page',
      keys: 'Alt+PageUp',
      disabled: noneBefore,
      run: before,
    },
  ])
  return (
    <>
      <RecordHead title={t('inventory.browse')} path={path} />
      <search className={styles.zone}>
        <form className="row wrap" key={`${list} ${from}`} onSubmit={submit}>
          <select
            className={cx(field.input, styles.list)}
            aria-label={t('inventory.listLabel')}
            value={list}
            onChange={(event) => onList(event.target.value)}
          >
            {lists.map((one) => (
              <option key={one.id} value={one.id}>
                {one.text}
              </option>
            ))}
          </select>
          <input
            className={cx(field.input, 'grow', styles.from)}
            name="from"
            dir="auto"
            aria-label={t('inventory.browseFrom')}
            placeholder={t('inventory.browseFrom')}
            defaultValue={from}
          />
          <Button kind="primary" type="submit">
            {t('inventory.goThere')}
          </Button>
        </form>
      </search>
      <section className={cx(page.pane, isStale && 'muted')} aria-label={label}>
        {error ? (
          <div className={page.body}>
            <Failed error={error} retry={retry} />
          </div>
        ) : !part ? (
          <div className={page.body}>
            <Skeleton share={12} />
          </div>
        ) : part.items.length ? (
          <Table
            label={label}
            columns={props.columns}
            rows={rowsOf(part.items)}
            keyOf={props.keyOf}
            nameOf={props.nameOf}
            onOpen={props.onOpen}
            inset
          />
        ) : (
          <Empty icon="list-tree" title={t('inventory.noHeadings')} />
        )}
      </section>
      <div className={cx(page.foot, 'sm')}>
        <p className="muted">
          {part ? t('inventory.headings', { count: number(part.totalRecords) }) : null}
        </p>
        <span className="row push">
          <Button small icon="chevron-left" disabled={noneBefore} onPress={before}>
            {t('inventory.previous')}
          </Button>
          <Button small icon="chevron-right" disabled={noneAfter} onPress={after}>
            {t('inventory.next')}
          </Button>
        </span>
      </div>
    </>
  )
}

/** A heading that no record has is what somebody asked for: it shows where that would be. */
export function HeadingCell({ isThere, children }: { isThere: boolean; children: ReactNode }) {
  const t = useText()
  return (
    <span className={cx('row wrap', isThere ? 'medium' : styles.anchor)}>
      {children}
      {isThere ? null : <span>{t('inventory.wouldBeHere')}</span>}
    </span>
  )
}
