// Browsing: a list of headings in their order, entered at any place; a heading leads to its titles.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useMemo } from 'react'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { browseQuery, type Heading, headingText, LISTS, listOf } from '#/inventory/browse'
import { RecordPath } from '#/inventory/RecordPath'
import type { InventorySearch } from '#/inventory/search'
import { useCommands } from '#/keys/useCommands'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { Code } from '#/ui/Code'
import { cx } from '#/ui/cx'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import field from '#/ui/Field.module.css'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Skeleton } from '#/ui/Skeleton'
import { type Column, rowsOf, Table } from '#/ui/Table'
import styles from './browse.module.css'

/** Of a call number with one title. */
const titleColumn = (title: string): Column<Heading> => ({
  id: 'title',
  title,
  soft: true,
  wide: true,
  width: 22,
  cell: (one) => <bdi>{one.instanceTitle}</bdi>,
})

export async function loader() {
  await loadTexts('lists', 'inventory')
}

export function BrowsePage() {
  const t = useText()
  const { number } = useFormats()
  const navigate = useNavigate({ from: '/inventory/browse' })
  const search = useSearch({ from: '/shell/inventory/browse' })
  const list = listOf(search.list)
  const from = search.from ?? ''
  const way = search.way ?? 'around'
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...browseQuery(list, from, way),
    placeholderData: keepPreviousData,
  })
  const go = (value: string, next: 'around' | 'after' | 'before') =>
    void navigate({
      search: { list: search.list, from: value, way: next === 'around' ? undefined : next },
    })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    go(String(new FormData(event.currentTarget).get('from') ?? ''), 'around')
  }
  const open = (heading: Heading) => {
    if (!heading.totalRecords) return
    const text = headingText(heading)
    const target: InventorySearch = {
      lines: [{ join: 'and', by: list.by, match: 'phrase', text }],
    }
    void navigate({ to: '/inventory', search: target })
  }
  useCommands([
    {
      id: 'browse.next',
      title: 'inventory.next',
      group: 'page',
      keys: 'Alt+PageDown',
      disabled: data?.next ? undefined : t('inventory.listEnds'),
      run: () => data?.next && go(data.next, 'after'),
    },
    {
      id: 'browse.previous',
      title: 'inventory.previous',
      group: 'page',
      keys: 'Alt+PageUp',
      disabled: data?.prev ? undefined : t('inventory.listEnds'),
      run: () => data?.prev && go(data.prev, 'before'),
    },
  ])
  const isNumber = list.field === 'fullCallNumber' || list.field === 'number'
  const columns = useMemo(
    (): Column<Heading>[] => [
      {
        id: 'heading',
        title: t(`inventory.list.${list.id}`),
        kind: 'main',
        cell: (one) => (
          <span className={cx('row wrap', one.totalRecords ? 'medium' : styles.anchor)}>
            {isNumber ? <Code plain>{headingText(one)}</Code> : <bdi>{headingText(one)}</bdi>}
            {one.totalRecords ? null : <span>{t('inventory.wouldBeHere')}</span>}
          </span>
        ),
      },
      ...(list.by === 'callNumber' ? [titleColumn(t('inventory.title'))] : []),
      {
        id: 'count',
        title: t('inventory.tab.titles'),
        width: 6,
        kind: 'num',
        named: true,
        cell: (one) => (one.totalRecords ? number(one.totalRecords) : null),
      },
    ],
    [t, number, list.id, list.by, isNumber],
  )
  return (
    <>
      <RecordHead
        title={t('inventory.browse')}
        path={<RecordPath kind={t('inventory.browse')} />}
      />
      <search className={styles.zone}>
        <form className="row wrap" key={`${list.id} ${from}`} onSubmit={submit}>
          <select
            className={cx(field.input, styles.list)}
            aria-label={t('inventory.listLabel')}
            value={list.id}
            onChange={(event) =>
              void navigate({ search: { list: event.target.value, from: search.from } })
            }
          >
            {LISTS.map(({ id }) => (
              <option key={id} value={id}>
                {t(`inventory.list.${id}`)}
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
      <section
        className={cx(page.pane, isPlaceholderData && 'muted')}
        aria-label={t(`inventory.list.${list.id}`)}
      >
        {error ? (
          <div className={page.body}>
            <Failed error={error} retry={() => void refetch()} />
          </div>
        ) : !data ? (
          <div className={page.body}>
            <Skeleton share={12} />
          </div>
        ) : data.items.length ? (
          <Table
            label={t(`inventory.list.${list.id}`)}
            columns={columns}
            rows={rowsOf(data.items)}
            keyOf={(one) => `${headingText(one)} ${one.contributorNameTypeId ?? ''}`}
            nameOf={headingText}
            onOpen={open}
            inset
          />
        ) : (
          <Empty icon="list-tree" title={t('inventory.noHeadings')} />
        )}
      </section>
      <div className={cx(page.foot, 'sm')}>
        <p className="muted">
          {data ? t('inventory.headings', { count: number(data.totalRecords) }) : null}
        </p>
        <span className="row push">
          <Button
            small
            icon="chevron-left"
            disabled={data?.prev ? undefined : t('inventory.listEnds')}
            onPress={() => data?.prev && go(data.prev, 'before')}
          >
            {t('inventory.previous')}
          </Button>
          <Button
            small
            icon="chevron-right"
            disabled={data?.next ? undefined : t('inventory.listEnds')}
            onPress={() => data?.next && go(data.next, 'after')}
          >
            {t('inventory.next')}
          </Button>
        </span>
      </div>
    </>
  )
}
