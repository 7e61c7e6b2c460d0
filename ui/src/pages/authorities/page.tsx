// Authorities: one line to search by, facets, and the forms of headings found. The address has all of it.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { queryClient } from '#/api/query'
import { keepSearch } from '#/authorities/lastSearch'
import { everythingQuery, formsOf, sourceFilesQuery } from '#/authorities/queries'
import { OPTIONS, optionOf, orderOf, RANGES, validSearch } from '#/authorities/search'
import type { Form } from '#/authorities/types'
import { useFormColumns } from '#/authorities/useFormColumns'
import { loadTexts } from '#/i18n/areas'
import { type TextId, useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useNeeds } from '#/lib/permissions'
import { Chosen } from '#/search/Chosen'
import { RangeGroup } from '#/search/RangeGroup'
import { SearchLine } from '#/search/SearchLine'
import styles from '#/search/search.module.css'
import { WindowsFoot } from '#/search/WindowsFoot'
import { Button } from '#/ui/Button'
import { ColumnPicker } from '#/ui/ColumnPicker'
import { cx } from '#/ui/cx'
import { Empty } from '#/ui/Empty'
import { Facets } from '#/ui/Facets'
import { Failed } from '#/ui/Failed'
import { NarrowButton } from '#/ui/NarrowButton'
import { Head, page } from '#/ui/Page'
import { useColumns } from '#/ui/useColumns'
import { firstWindow, useWindows } from '#/ui/useWindows'
import { VirtualTable } from '#/ui/VirtualTable'
import { ChosenForms } from './ChosenForms'
import { useFacets } from './useFacets'
import { useUrl } from './useUrl'

/** Awaits the rows when the page is entered, not at each letter: then the rows before stay in view. */
export async function loader(raw: Record<string, unknown>, isEntered: boolean) {
  await Promise.all([
    loadTexts('lists', 'inventory', 'authorities'),
    ...(isEntered
      ? [
          queryClient.prefetchQuery(firstWindow(formsOf(validSearch(raw)))),
          queryClient.prefetchQuery(sourceFilesQuery),
        ]
      : []),
  ])
}

export function AuthoritiesPage() {
  const t = useText()
  const { search, change, choose } = useUrl()
  const navigate = useNavigate()
  const router = useRouter()
  const input = useRef<HTMLInputElement>(null)
  const [narrow, setNarrow] = useState(false)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [range, setRange] = useState({ first: 0, last: 0 })
  const mayMake = useNeeds('marc-records-editor.item.post')
  useEffect(() => keepSearch(search), [search])
  const source = useMemo(() => formsOf(search), [search])
  const windows = useWindows<Form>(source)
  const columns = useColumns('authorities', useFormColumns())
  const facets = useFacets(search)
  const { data: everything } = useQuery(everythingQuery)
  const order = orderOf(search)
  const chosen = facets.facets.filter((one) => one.chosen.length)
  const open = ({ id }: Form, newTab: boolean) => {
    const target = { to: '/authorities/$authorityId', params: { authorityId: id } } as const
    if (newTab) window.open(router.buildLocation(target).href, '_blank')
    else void navigate(target)
  }
  const create = () =>
    void navigate({ to: '/authorities/$authorityId/edit', params: { authorityId: 'new' } })
  const browse = () => void navigate({ to: '/authorities/browse', search: {} })
  const changes = () => void navigate({ to: '/authorities/changes', search: {} })
  useCommands([
    {
      id: 'authorities.changes',
      title: 'authority.changes',
      group: 'page',
      keys: 'Alt+R',
      run: changes,
    },
    {
      id: 'authorities.focus',
      title: 'inventory.toSearch',
      group: 'page',
      keys: 'Alt+H',
      run: () => input.current?.select(),
    },
    {
      id: 'authorities.new',
      title: 'authority.new',
      group: 'page',
      keys: 'Alt+N',
      disabled: mayMake.reason,
      run: create,
    },
    {
      id: 'authorities.browse',
      title: 'inventory.browse',
      group: 'page',
      keys: 'Alt+B',
      run: browse,
    },
  ])
  return (
    <>
      <Head title={t('shell.authorities')}>
        <Button kind="quiet" icon="list-tree" wideOnly onPress={browse}>
          {t('inventory.browse')}
        </Button>
        <Button kind="quiet" icon="history" keys="Alt+R" wideOnly onPress={changes}>
          {t('authority.changes')}
        </Button>
        <Button kind="primary" icon="plus" keys="Alt+N" disabled={mayMake.reason} onPress={create}>
          {t('authority.new')}
        </Button>
      </Head>
      <div className={cx(page.split, page.start, page.slim, page.facets, styles.split)}>
        <Facets
          facets={facets.facets}
          shown={narrow}
          onClose={() => setNarrow(false)}
          onOpen={facets.open}
          onChoose={choose}
          other={(facet) =>
            RANGES.includes(facet.id) ? (
              <RangeGroup
                facet={facet}
                of="date"
                onOpen={(on) => facets.open(facet.id, on)}
                onChoose={(values) => choose(facet.id, values)}
              />
            ) : undefined
          }
        />
        <div className={page.col}>
          <div className={styles.zone}>
            <SearchLine
              label={t('shell.authorities')}
              options={OPTIONS.map(({ id }) => ({ id, text: t(`authority.by.${id}` as TextId) }))}
              by={optionOf(search.by).id}
              q={search.q}
              onBy={(by) => change({ by })}
              onWords={(q, replace) => change({ q }, replace)}
              inputRef={input}
            >
              <NarrowButton shown={narrow} count={chosen.length} onShow={setNarrow} />
            </SearchLine>
            {selected.size ? (
              <ChosenForms
                keys={selected}
                total={windows.found}
                onClear={() => setSelected(new Set())}
              />
            ) : (
              <div className={cx('row wrap', styles.line2)}>
                <Chosen
                  found={windows.isLoading ? undefined : windows.found}
                  everything={everything}
                  chips={chosen.map((one) => ({
                    id: one.id,
                    text: facets.textOf(one),
                    onRemove: () => choose(one.id, []),
                  }))}
                  onClear={() => change({ f: undefined })}
                />
                <span className="row push wide-only">
                  <ColumnPicker layout={columns} />
                </span>
              </div>
            )}
          </div>
          {windows.error && !windows.total ? (
            <div className={page.body}>
              <Failed error={windows.error} retry={windows.retry} />
            </div>
          ) : windows.isLoading || windows.total ? (
            <VirtualTable
              label={t('inventory.results')}
              listKey={source.key.join(' ')}
              columns={columns.shown}
              rows={windows}
              // An authority has a row for each form of its heading.
              keyOf={(one) => `${one.id} ${one.authRefType} ${one.headingRef}`}
              selection={{ keys: selected, onChange: setSelected }}
              nameOf={(one) => one.headingRef}
              sort={order}
              onSort={({ by, descending }) => change({ sort: `${descending ? '-' : ''}${by}` })}
              onOpen={open}
              onRange={(first, last) => {
                setRange({ first, last })
                windows.onRange(first, last)
              }}
            />
          ) : (
            <Empty icon="search" title={t('inventory.nothing')} text={t('inventory.nothingWhat')} />
          )}
          <WindowsFoot range={range} windows={windows} />
        </div>
      </div>
    </>
  )
}
