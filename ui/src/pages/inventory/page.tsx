// The inventory: one line to search by, facets, and the titles found. The address has all of it.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { loadLists } from '#/api/lists'
import { queryClient } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { type TextId, useText } from '#/i18n/text'
import { everythingQuery, hitsOf, useWhole } from '#/inventory/hits'
import { keepSearch } from '#/inventory/lastSearch'
import { conditionOf, OPTIONS, optionOf, orderOf, segmentOf, validSearch } from '#/inventory/search'
import type { Hit } from '#/inventory/types'
import { useUrlSearch } from '#/inventory/useUrl'
import { usePainted } from '#/lib/usePainted'
import { Chosen } from '#/search/Chosen'
import { SearchLine } from '#/search/SearchLine'
import styles from '#/search/search.module.css'
import { WindowsFoot } from '#/search/WindowsFoot'
import { Button } from '#/ui/Button'
import { ColumnPicker } from '#/ui/ColumnPicker'
import { cx } from '#/ui/cx'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { NarrowButton } from '#/ui/NarrowButton'
import { page } from '#/ui/Page'
import { useColumns } from '#/ui/useColumns'
import { firstWindow, useWindows } from '#/ui/useWindows'
import { VirtualTable } from '#/ui/VirtualTable'
import { AdvancedLines } from './AdvancedLines'
import { ChosenTitles } from './ChosenTitles'
import { HIDDEN, useHitColumns } from './columns'
import { Narrowing } from './Narrowing'
import { SaveFound } from './SaveFound'
import { SortMenu } from './SortMenu'
import { Top } from './Top'
import { useChips } from './useChips'
import { useFacets } from './useFacets'

const NONE: readonly never[] = []

/** So long a page that is entered waits for its rows: those that are nearly here are drawn with it, not after it. */
const ROWS_MS = 150

/** Asks for the rows; at each letter those before stay in view. */
export async function loader(raw: Record<string, unknown>, isEntered: boolean) {
  const first = queryClient.prefetchQuery(firstWindow(hitsOf(validSearch(raw))))
  const texts = loadTexts('lists', 'inventory')
  if (isEntered) {
    const names = loadLists('locations', 'instanceTypes', 'modesOfIssuance')
    const late = new Promise((resume) => setTimeout(resume, ROWS_MS))
    await Promise.race([Promise.all([first, names]), late])
  }
  await texts
}

export function InventoryPage() {
  const t = useText()
  const url = useUrlSearch()
  const { search, change, choose } = url
  const navigate = useNavigate()
  const router = useRouter()
  const input = useRef<HTMLInputElement>(null)
  const [narrow, setNarrow] = useState(false)
  const [advanced, setAdvanced] = useState(Boolean(search.lines))
  useEffect(() => keepSearch(search), [search])
  const source = useMemo(() => hitsOf(search), [search])
  const windows = useWindows(source)
  const shown = usePainted()
  const whole = useWhole(shown ? windows.inView : NONE)
  const columns = useColumns('inventory', useHitColumns(whole), HIDDEN)
  const facets = useFacets(search, shown)
  const order = orderOf(search)
  const segment = segmentOf(search)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [range, setRange] = useState({ first: 0, last: 0 })
  const { onRange } = windows
  const show = useCallback(
    (first: number, last: number) => {
      setRange({ first, last })
      onRange(first, last)
    },
    [onRange],
  )
  const open = ({ id }: Hit, newTab: boolean) => {
    const target = { to: '/inventory/$instanceId', params: { instanceId: id }, search: {} } as const
    if (newTab) window.open(router.buildLocation(target).href, '_blank')
    else void navigate(target)
  }
  const chosen = Object.keys(search.f ?? {}).length
  const { data: everything } = useQuery({ ...everythingQuery, enabled: shown })
  const chips = useChips(url, facets)
  return (
    <>
      <Top segment={segment} change={change} input={input} />
      <div className={cx(page.split, page.start, page.slim, page.facets, styles.split)}>
        <Narrowing
          facets={facets.facets}
          onOpen={facets.open}
          shown={narrow}
          onShow={setNarrow}
          onChoose={choose}
        />
        <div className={page.col}>
          <div className={styles.zone}>
            <SearchLine
              label={t('inventory.search')}
              options={OPTIONS[segment].map(({ id }) => ({
                id,
                text: t(`inventory.by.${id}` as TextId),
              }))}
              by={optionOf(segment, search.by).id}
              q={search.q}
              onBy={(by) => change({ by })}
              onWords={(q, replace) => change({ q }, replace)}
              inputRef={input}
            >
              <NarrowButton shown={narrow} count={chosen} onShow={setNarrow} />
              <Button
                kind="quiet"
                wideOnly
                aria-expanded={advanced}
                onPress={() => setAdvanced(!advanced)}
              >
                {t('inventory.advanced')}
              </Button>
            </SearchLine>
            {advanced ? (
              <AdvancedLines
                key={segment}
                segment={segment}
                lines={search.lines ?? []}
                onSearch={(lines) => change({ lines: lines.length ? lines : undefined })}
                onClose={() => setAdvanced(false)}
              />
            ) : null}
            {selected.size ? (
              <ChosenTitles
                ids={selected}
                total={windows.found}
                url={url}
                onClear={() => setSelected(new Set())}
              />
            ) : (
              <div className={cx('row wrap', styles.line2)}>
                <Chosen
                  found={windows.isLoading ? undefined : windows.found}
                  everything={everything}
                  chips={chips}
                  onClear={() => change({ f: undefined, lines: undefined })}
                />
                <span className="row push wide-only">
                  <SaveFound query={conditionOf(search)} found={windows.found} />
                  <SortMenu order={order} onSort={(sort) => change({ sort })} />
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
              keyOf={(hit) => hit.id}
              nameOf={(hit) => hit.title}
              sort={{ by: order.by, descending: order.descending }}
              onSort={({ by, descending }) => change({ sort: `${descending ? '-' : ''}${by}` })}
              selection={{ keys: selected, onChange: setSelected }}
              onOpen={open}
              onRange={show}
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
