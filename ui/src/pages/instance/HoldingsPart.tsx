// Holdings at one place: where, the shelf mark, what is free, and the items.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Request } from '#/api/types'
import { useText } from '#/i18n/text'
import { callNumberOf } from '#/inventory/callNumber'
import { itemsQuery, loansQuery } from '#/inventory/queries'
import type { Holdings } from '#/inventory/types'
import { usePermission } from '#/inventory/usePermission'
import { usePlace } from '#/inventory/usePlace'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { Code } from '#/ui/Code'
import { Failed } from '#/ui/Failed'
import { RowActs } from '#/ui/RowActs'
import { Skeleton } from '#/ui/Skeleton'
import { rowsOf, Table } from '#/ui/Table'
import { FreeBadge } from './FreeBadge'
import styles from './instance.module.css'
import { MoveItems } from './MoveItems'
import { useHoldingsActs } from './useHoldingsActs'
import { type ItemRow, useItemColumns } from './useItemColumns'

interface Props {
  holdings: Holdings
  others: readonly Holdings[]
  requests: readonly Request[]
  closed: boolean
}

export function HoldingsPart({ holdings, others, requests, closed }: Props) {
  const t = useText()
  const { number } = useFormats()
  const navigate = useNavigate()
  const place = usePlace()
  const mayAdd = usePermission('inventory.items.item.post')
  const acts = useHoldingsActs(holdings)
  const [open, setOpen] = useState(!closed)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const found = useInfiniteQuery({ ...itemsQuery(holdings.id), enabled: open })
  const items = found.data?.pages.flatMap((part) => part.items) ?? []
  const total = found.data?.pages[0]?.totalRecords
  const lent = items.filter((item) => item.status.name === 'Checked out').map((item) => item.id)
  const { data: loans } = useQuery(loansQuery(lent))
  const name = place(holdings.effectiveLocationId ?? holdings.permanentLocationId)
  const rows = items.map(
    (item): ItemRow => ({
      item,
      loan: loans?.get(item.id),
      requests: requests.filter((one) => one.itemId === item.id).length,
    }),
  )
  const columns = useItemColumns(holdings.instanceId)
  const params = { instanceId: holdings.instanceId }
  return (
    <section className={styles.part} aria-label={name}>
      <header className="row wrap">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <Code plain>{callNumberOf(holdings)}</Code>
        <FreeBadge items={items} />
        <span className="row push">
          <Button
            small
            kind="quiet"
            icon="plus"
            disabled={mayAdd.reason}
            onPress={() =>
              navigate({
                to: '/inventory/$instanceId/items/new',
                params,
                search: { holdings: holdings.id },
              })
            }
          >
            {t('inventory.item')}
          </Button>
          <RowActs name={name} acts={acts} />
        </span>
      </header>
      {acts.problem}
      {chosen.size ? (
        <MoveItems
          holdings={holdings}
          others={others}
          ids={[...chosen]}
          total={total ?? items.length}
          onDone={() => setChosen(new Set())}
        />
      ) : null}
      {!open ? (
        <Button small kind="quiet" onPress={() => setOpen(true)}>
          {t('inventory.showItems')}
        </Button>
      ) : found.error ? (
        <Failed error={found.error} retry={() => void found.refetch()} />
      ) : !found.data ? (
        <Skeleton share={18} />
      ) : items.length ? (
        <div className={styles.scroll}>
          <Table
            label={t('inventory.itemsAt', { place: name })}
            columns={columns}
            rows={rowsOf(rows)}
            keyOf={({ item }) => item.id}
            nameOf={({ item }) => item.barcode ?? item.id}
            selection={{ keys: chosen, onChange: setChosen }}
            onOpen={({ item }) =>
              navigate({
                to: '/inventory/$instanceId/items/$itemId',
                params: { ...params, itemId: item.id },
              })
            }
          />
        </div>
      ) : (
        <p className="muted sm">{t('inventory.noItems')}</p>
      )}
      {found.hasNextPage && total !== undefined ? (
        <Button
          small
          kind="quiet"
          busy={found.isFetchingNextPage}
          onPress={() => void found.fetchNextPage()}
        >
          {t('inventory.moreItems', { count: number(total - items.length) })}
        </Button>
      ) : null}
    </section>
  )
}
