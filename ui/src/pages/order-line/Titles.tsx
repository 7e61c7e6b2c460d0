// The titles of a package, to receive: each with its pieces, added, changed, deleted. A title that is chosen shows its
// own pieces only; the address keeps which.
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { changed } from '#/acquisitions/queries'
import { Refused } from '#/acquisitions/Refused'
import type { OrderLine, Piece, Title } from '#/acquisitions/types'
import { remove } from '#/api/client'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { RowActs } from '#/ui/RowActs'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import table from '#/ui/Table.module.css'
import { TitleCard } from './TitleCard'

interface Props {
  orderId: string
  line: OrderLine
  titles: readonly Title[]
  pieces: readonly Piece[]
  chosen: string | undefined
}

export function Titles({ orderId, line, titles, pieces, chosen }: Props) {
  const t = useText()
  const { number, day } = useFormats()
  const navigate = useNavigate()
  const act = useAct()
  const mayAdd = useNeeds('orders.titles.item.post').reason
  const mayEdit = useNeeds('orders.titles.item.put').reason
  const mayDelete = useNeeds('orders.titles.item.delete').reason
  const [edited, setEdited] = useState<Title | 'new'>()
  const [dropped, setDropped] = useState<Title>()
  const params = { id: orderId, lineId: line.id }
  const to = '/orders/$id/lines/$lineId' as const
  const searchOf = (id: string | undefined) => (id ? { title: id } : {}) as never
  const piecesOf = (id: string) => pieces.filter((one) => one.titleId === id)
  const columns: Column<Title>[] = [
    {
      id: 'title',
      title: t('acq.title'),
      kind: 'main',
      cell: ({ id, title }) => (
        <Link className={table.title} to={to} params={params} search={searchOf(id)} tabIndex={-1}>
          <bdi>{title}</bdi>
        </Link>
      ),
    },
    {
      id: 'received',
      title: t('acq.pieces'),
      width: 11,
      cell: ({ id }) => {
        const own = piecesOf(id)
        const received = own.filter((one) => one.receivingStatus === 'Received').length
        return own.length
          ? t('acq.received', { received: number(received), total: number(own.length) })
          : t('acq.noPieces')
      },
    },
    {
      id: 'expected',
      title: t('ord.expectedOn'),
      width: 9,
      wide: true,
      cell: ({ expectedReceiptDate }) => (expectedReceiptDate ? day(expectedReceiptDate) : null),
    },
    {
      id: 'claims',
      title: t('ord.claims'),
      width: 9,
      wide: true,
      soft: true,
      cell: ({ claimingActive, claimingInterval }) =>
        claimingActive ? t('acq.days', { count: claimingInterval ?? 0 }) : null,
    },
    {
      id: 'menu',
      title: t('acq.more'),
      kind: 'menu',
      width: 3,
      cell: (one) => (
        <RowActs
          name={one.title}
          acts={[
            {
              id: 'edit',
              text: t('acq.edit'),
              icon: 'pencil',
              disabled: mayEdit,
              run: () => setEdited(one),
            },
            {
              id: 'delete',
              text: t('ord.deleteTitle'),
              icon: 'trash-2',
              disabled: mayDelete ?? (piecesOf(one.id).length ? t('ord.hasPieces') : undefined),
              run: () => setDropped(one),
            },
          ]}
        />
      ),
    },
  ]
  const drop = async () => {
    if (!(await act.run(() => remove(`/orders/titles/${dropped?.id}`)))) return
    setDropped(undefined)
    if (chosen === dropped?.id) await navigate({ to, params, search: searchOf(undefined) })
    await changed()
  }
  return (
    <Section
      title={t('ord.titles')}
      count={number(titles.length)}
      acts={
        <>
          {chosen ? (
            <Button
              small
              onPress={() => void navigate({ to, params, search: searchOf(undefined) })}
            >
              {t('ord.allTitles')}
            </Button>
          ) : null}
          <Button small icon="plus" disabled={mayAdd} onPress={() => setEdited('new')}>
            {t('ord.addTitle')}
          </Button>
        </>
      }
    >
      <div className="stack">
        {edited ? (
          <TitleCard
            key={edited === 'new' ? 'new' : edited.id}
            line={line}
            title={edited === 'new' ? undefined : edited}
            onClose={() => setEdited(undefined)}
          />
        ) : null}
        {dropped ? (
          <ConfirmCard
            title={t('ord.deleteTitleAsk', { title: dropped.title })}
            act={t('acq.orderAct.delete')}
            danger
            busy={act.busy}
            onAct={() => void drop()}
            onClose={() => setDropped(undefined)}
          >
            <Refused failure={act.failure} />
          </ConfirmCard>
        ) : null}
        {titles.length ? (
          <Table
            label={t('ord.titles')}
            columns={columns}
            rows={rowsOf(titles)}
            keyOf={(one) => one.id}
            nameOf={(one) => one.title}
            open={chosen}
            onOpen={({ id }) => void navigate({ to, params, search: searchOf(id) })}
          />
        ) : (
          <p className="sm muted">{t('ord.noTitles')}</p>
        )}
      </div>
    </Section>
  )
}
