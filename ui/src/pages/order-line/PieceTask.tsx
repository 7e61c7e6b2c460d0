// What is done with pieces beyond receiving them, each in a card of its own.
import { Suspense } from 'react'
import { FieldsCard } from '#/acquisitions/form/FieldsCard'
import { type Claim, claim, deletePiece, type NewStatus, setStatus } from '#/acquisitions/receive'
import type { OrderLine, Piece, Title } from '#/acquisitions/types'
import { STATUS, useChoices, useWord } from '#/acquisitions/words'
import { announce } from '#/app/live'
import { LazyPane } from '#/history/HistoryButton'
import { useText } from '#/i18n/text'
import type { Spec } from '#/inventory/form/specs'
import { AddPiece } from './AddPiece'
import { BindPieces } from './BindPieces'
import { EditPiece } from './EditPiece'
import { MovePiece } from './MovePiece'

export type PieceAct = 'add' | 'edit' | 'move' | 'status' | 'claim' | 'bind' | 'history' | 'delete'
export interface Task {
  act: PieceAct
  pieces: readonly Piece[]
}

interface Props {
  task: Task
  line: OrderLine
  titles: readonly Title[]
  onClose: () => void
}

export function PieceTask({ task: { act, pieces }, line, titles, onClose }: Props) {
  const t = useText()
  const choices = useChoices()
  const word = useWord()
  const days = (label: string, needed: boolean): Spec => ({
    name: 'claimingInterval',
    label,
    kind: 'number',
    needed,
  })
  const first = pieces[0]
  if (act === 'add') return <AddPiece line={line} titles={titles} onClose={onClose} />
  if (!first) return null
  if (act === 'edit')
    return <EditPiece piece={first} line={line} titles={titles} onClose={onClose} />
  if (act === 'move') return <MovePiece piece={first} line={line} onClose={onClose} />
  if (act === 'history')
    return (
      <Suspense fallback={null}>
        <LazyPane
          kind="piece"
          id={first.id}
          name={first.displaySummary ?? first.barcode ?? t('acq.piece')}
          word={word}
          onClose={onClose}
        />
      </Suspense>
    )
  if (act === 'bind') return <BindPieces pieces={pieces} line={line} onClose={onClose} />
  if (act === 'claim')
    return (
      <FieldsCard<Claim>
        title={t('ord.claimAsk', { count: pieces.length })}
        text={t('ord.claimWhat')}
        act={t('ord.claim')}
        record={{ claimingInterval: line.claimingInterval ?? 30 }}
        fields={[
          days(t('ord.claimAgain'), true),
          { name: 'internalNote', label: t('ord.internalNote'), kind: 'text' },
          { name: 'externalNote', label: t('ord.externalNote'), kind: 'text' },
        ]}
        onAct={async (about) => {
          await claim(pieces, about)
          announce(t('ord.claimed', { count: pieces.length }))
        }}
        onClose={onClose}
      />
    )
  if (act === 'delete')
    return (
      <FieldsCard<{ $empty?: boolean }>
        title={t('ord.deletePieceAsk')}
        text={line.checkinItems || line.isPackage ? undefined : t('ord.deletePieceWhat')}
        act={t('ord.deletePiece')}
        danger
        record={{}}
        fields={
          first.holdingId ? [{ name: '$empty', label: t('ord.deleteEmpty'), kind: 'flag' }] : []
        }
        onAct={({ $empty }) => deletePiece(first, Boolean($empty))}
        onClose={onClose}
      />
    )
  return (
    <FieldsCard<NewStatus>
      title={t('ord.statusAsk', { count: pieces.length })}
      act={t('ord.setStatus')}
      record={{ receivingStatus: first.receivingStatus }}
      fields={({ receivingStatus }) => [
        {
          name: 'receivingStatus',
          label: t('acq.status'),
          kind: 'choice',
          choices: choices(STATUS),
          needed: true,
        },
        ...(/^Claim/.test(String(receivingStatus)) ? [days(t('ord.lateAfter'), true)] : []),
      ]}
      onAct={async ({ receivingStatus, claimingInterval }) =>
        await setStatus(pieces, {
          receivingStatus,
          ...(/^Claim/.test(receivingStatus) && { claimingInterval }),
        })
      }
      onClose={onClose}
    />
  )
}
