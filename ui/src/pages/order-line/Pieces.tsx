// The pieces of a line. A barcode that is scanned is checked in for the next expected piece; rows are chosen by Space,
// received and taken back together.
import { useState } from 'react'
import styles from '#/acquisitions/acquisitions.module.css'
import { Refused } from '#/acquisitions/Refused'
import { inOrder, isExpected, receive, unreceive } from '#/acquisitions/receive'
import type { Order, OrderLine, Piece, Title } from '#/acquisitions/types'
import { announce } from '#/app/live'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { BulkBar } from '#/ui/BulkBar'
import { Button } from '#/ui/Button'
import { Section } from '#/ui/Section'
import { rowsOf, Table } from '#/ui/Table'
import { AddPiece } from './AddPiece'
import { ScanPiece } from './ScanPiece'
import { usePieceColumns } from './usePieceColumns'

interface Props {
  order: Order
  line: OrderLine
  titles: readonly Title[]
  pieces: readonly Piece[]
}

export function Pieces({ order, line, titles, pieces }: Props) {
  const t = useText()
  const { number } = useFormats()
  const act = useAct()
  const mayReceive = useNeeds('orders.receiving.collection.post')
  const mayAdd = useNeeds('orders.pieces.item.post')
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const [adding, setAdding] = useState(false)
  const rows = inOrder(pieces)
  const expected = rows.filter(isExpected)
  const chosen = rows.filter((one) => keys.has(one.id))
  const notOpen = order.workflowStatus === 'Pending' ? t('acq.notPending') : undefined
  const run = async (some: readonly Piece[], how: 'receive' | 'unreceive') => {
    const done = await act.run(() => (how === 'receive' ? receive(some) : unreceive(some)))
    if (!done) return
    setKeys(new Set())
    announce(t(`acq.pieceDone.${how}`, { count: some.length }))
  }
  const toReceive = chosen.filter(isExpected)
  const toReturn = chosen.filter((one) => one.receivingStatus === 'Received')
  const receiveReason =
    mayReceive.reason ?? notOpen ?? (toReceive.length ? undefined : t('acq.chooseExpected'))
  const returnReason =
    mayReceive.reason ?? notOpen ?? (toReturn.length ? undefined : t('acq.chooseReceived'))
  useCommands([
    {
      id: 'acq.receive',
      title: 'acq.receive',
      group: 'page',
      keys: 'Alt+R',
      disabled: receiveReason,
      run: () => void run(toReceive, 'receive'),
    },
    {
      id: 'acq.unreceive',
      title: 'acq.unreceive',
      group: 'page',
      keys: 'Alt+U',
      disabled: returnReason,
      run: () => void run(toReturn, 'unreceive'),
    },
  ])
  const columns = usePieceColumns(rows, (piece, how) => void run([piece], how), {
    reason: mayReceive.reason ?? notOpen,
  })
  const counted = t('acq.received', {
    received: number(rows.filter((one) => one.receivingStatus === 'Received').length),
    total: number(rows.length),
  })
  return (
    <Section
      title={t('acq.pieces')}
      count={rows.length ? counted : undefined}
      acts={
        <Button
          small
          icon="plus"
          disabled={mayAdd.reason ?? (titles.length ? undefined : t('acq.noTitle'))}
          onPress={() => setAdding(true)}
        >
          {t('acq.addPiece')}
        </Button>
      }
    >
      <div className="stack">
        {adding ? <AddPiece line={line} titles={titles} onClose={() => setAdding(false)} /> : null}
        <ScanPiece next={expected[0]} left={expected.length} blocked={notOpen} />
        <Refused failure={act.failure} />
        {chosen.length ? (
          <BulkBar count={chosen.length} total={rows.length} onClear={() => setKeys(new Set())}>
            <span className={styles.bar}>
              <Button
                small
                kind="primary"
                icon="package-check"
                keys="Alt+R"
                busy={act.busy}
                disabled={receiveReason}
                onPress={() => void run(toReceive, 'receive')}
              >
                {t('acq.receive')}
              </Button>
              <Button
                small
                icon="undo-2"
                keys="Alt+U"
                busy={act.busy}
                disabled={returnReason}
                onPress={() => void run(toReturn, 'unreceive')}
              >
                {t('acq.unreceive')}
              </Button>
            </span>
          </BulkBar>
        ) : null}
        {rows.length ? (
          <Table
            label={t('acq.pieces')}
            columns={columns}
            rows={rowsOf(rows)}
            keyOf={(one) => one.id}
            nameOf={(one) => one.displaySummary ?? one.barcode ?? t('acq.piece')}
            selection={{ keys, onChange: setKeys }}
          />
        ) : (
          <p className="sm muted">{t('acq.noPieces')}</p>
        )}
      </div>
    </Section>
  )
}
