// Open requests of the title, the oldest first.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Request } from '#/api/types'
import { useText } from '#/i18n/text'
import { requestsQuery } from '#/inventory/queries'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import { Code } from '#/ui/Code'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { Skeleton } from '#/ui/Skeleton'
import { type Column, rowsOf, Table } from '#/ui/Table'
import styles from './instance.module.css'

type Waiting = Request & { requestDate?: string }

export function Waiting({ instanceId }: { instanceId: string }) {
  const t = useText()
  const formats = useFormats()
  const { data, error, refetch } = useQuery(requestsQuery(instanceId))
  const columns = useMemo(
    (): Column<Waiting>[] => [
      {
        id: 'who',
        title: t('inventory.requester'),
        kind: 'main',
        cell: (one) => <bdi className="medium">{fullName(one.requester ?? {})}</bdi>,
      },
      {
        id: 'type',
        title: t('inventory.requestType'),
        width: 7,
        cell: (one) => t(`inventory.request.${one.requestType}`),
      },
      {
        id: 'date',
        title: t('inventory.requestDate'),
        width: 9,
        soft: true,
        cell: (one) => formats.day(one.requestDate ?? ''),
      },
      {
        id: 'item',
        title: t('inventory.item'),
        width: 10,
        cell: (one) => <Code>{one.item?.barcode ?? ''}</Code>,
      },
      {
        id: 'status',
        title: t('inventory.facet.statusId'),
        width: 13,
        soft: true,
        cell: (one) => one.status,
      },
      {
        id: 'position',
        title: t('inventory.position'),
        width: 5.5,
        kind: 'num',
        named: true,
        cell: (one) => (one.position === undefined ? null : formats.number(one.position)),
      },
    ],
    [formats, t],
  )
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton share={18} />
  if (!data.length) return <Empty icon="inbox" title={t('inventory.noRequests')} />
  return (
    <div className={styles.scroll}>
      <Table
        label={t('inventory.tab.requests')}
        columns={columns}
        rows={rowsOf<Waiting>(data)}
        keyOf={(one) => one.id}
        nameOf={(one) => fullName(one.requester ?? {})}
      />
    </div>
  )
}
