// The pieces of a line. A barcode that is scanned is checked in for the next expected piece; rows are chosen by Space,
// received and taken back together.
import { useState } from 'react'
import styles from '#/acquisitions/acquisitions.module.css'
import { Refused } from '#/acquisitions/Refused'
import { inOrder, isExpected, receive, unbind, unreceive } from '#/acquisitions/receive'
import type { Order, OrderLine, Piece, Title } from '#/acquisitions/types'
import { announce } from '#/app/live'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { BulkBar } from '#/ui/BulkBar'
import { Button } from '#/ui/Button'
import { Menu } from '#/ui/Menu'
import { Section } from '#/ui/Section'
import { rowsOf, Table } from '#/ui/Table'
import { type PieceAct, PieceTask, type Task } from './PieceTask'
import { ScanPiece } from './ScanPiece'
import { usePieceActs } from './usePieceActs'
import { usePieceColumns } from './usePieceColumns'

interface Props {
  order: Order
  line: OrderLine
  titles: readonly Title[]
  pieces: readonly Piece[]
  /** Of a package: the title whose pieces these are. */
  title?: Title
}

export function Pieces({ order, line, titles, pieces, title }: Props) {
  const t = useText()
  const { number } = useFormats()
  const act = useAct()
  const mayReceive = useNeeds('orders.receiving.collection.post')
  const mayAdd = useNeeds('orders.pieces.item.post')
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const [task, setTask] = useState<Task>()
  const rows = inOrder(title ? pieces.filter((one) => one.titleId === title.id) : pieces)
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
  const start = (wanted: PieceAct, some: readonly Piece[]) => setTask({ act: wanted, pieces: some })
  const actsOf = usePieceActs({
    notOpen,
    isCounted: !line.checkinItems && !line.isPackage,
    start,
    unbind: (piece) => void act.run(() => unbind(piece)),
  })
  const columns = usePieceColumns(rows, titles, (piece) => [
    {
      id: 'receive',
      text: t('acq.receive'),
      icon: 'package-check',
      disabled:
        mayReceive.reason ?? notOpen ?? (isExpected(piece) ? undefined : t('acq.notExpected')),
      run: () => void run([piece], 'receive'),
    },
    {
      id: 'unreceive',
      text: t('acq.unreceive'),
      icon: 'undo-2',
      disabled:
        mayReceive.reason ??
        notOpen ??
        (piece.receivingStatus === 'Received' ? undefined : t('acq.notReceived')),
      run: () => void run([piece], 'unreceive'),
    },
    'line',
    ...actsOf([piece]),
  ])
  const counted = t('acq.received', {
    received: number(rows.filter((one) => one.receivingStatus === 'Received').length),
    total: number(rows.length),
  })
  return (
    <Section
      title={title ? t('ord.piecesOf', { title: title.title }) : t('acq.pieces')}
      count={rows.length ? counted : undefined}
      acts={
        <Button
          small
          icon="plus"
          disabled={mayAdd.reason ?? (titles.length ? undefined : t('acq.noTitle'))}
          onPress={() => start('add', [])}
        >
          {t('acq.addPiece')}
        </Button>
      }
    >
      <div className="stack">
        {task ? (
          <PieceTask
            key={`${task.act} ${task.pieces[0]?.id}`}
            task={task}
            line={line}
            // A new piece belongs to the title that is in view.
            titles={title && task.act === 'add' ? [title] : titles}
            onClose={() => setTask(undefined)}
          />
        ) : null}
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
              <Menu
                label={t('acq.more')}
                acts={actsOf(chosen)}
                trigger={<Button small icon="ellipsis" aria-label={t('ord.moreForPieces')} />}
              />
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
