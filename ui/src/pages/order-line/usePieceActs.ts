// What can be done with pieces, one or many, beyond receiving them: with the reason where the rules do not allow it.
import { isHere } from '#/acquisitions/receive'
import type { Piece } from '#/acquisitions/types'
import { HISTORIES } from '#/history/kinds'
import { useText } from '#/i18n/text'
import { useNeeds } from '#/lib/permissions'
import type { Act } from '#/ui/Menu'
import type { PieceAct } from './PieceTask'

interface Given {
  /** Why nothing is received yet. */
  notOpen: string | undefined
  /** The line has as many copies as pieces: a new order's are made by opening it. */
  isCounted: boolean
  start: (act: PieceAct, pieces: readonly Piece[]) => void
  unbind: (piece: Piece) => void
}

export function usePieceActs({ notOpen, isCounted, start, unbind }: Given) {
  const t = useText()
  const edit = useNeeds('orders.pieces.item.put').reason
  const status = useNeeds('orders.pieces.collection.put').reason
  const claim = useNeeds('pieces.send-claims.collection.post').reason
  const bind = useNeeds('orders.bind-pieces.collection.post').reason
  const free = useNeeds('orders.bind-pieces.item.delete').reason
  const remove = useNeeds('orders.pieces.item.delete').reason
  const history = useNeeds(HISTORIES.piece.needs).reason
  const pending = isCounted ? notOpen : undefined
  return (pieces: readonly Piece[]): (Act | 'line')[] => {
    const [only, ...others] = pieces
    const single = only && !others.length ? only : undefined
    const all = (test: (piece: Piece) => boolean, why: string) =>
      pieces.every(test) ? undefined : why
    const acts: (Act | 'line')[] = [
      {
        id: 'status',
        text: t('ord.status'),
        disabled:
          status ??
          pending ??
          all((one) => one.receivingStatus !== 'Received', t('ord.takeBackFirst')),
        run: () => start('status', pieces),
      },
      {
        id: 'claim',
        text: t('ord.claimPieces'),
        icon: 'clock-alert',
        disabled: claim ?? all((one) => one.receivingStatus === 'Late', t('ord.onlyLate')),
        run: () => start('claim', pieces),
      },
      {
        id: 'bind',
        text: t('ord.bindPieces'),
        icon: 'book',
        disabled: bind ?? all((one) => isHere(one) && !one.isBound, t('ord.onlyHere')),
        run: () => start('bind', pieces),
      },
    ]
    if (!single) return acts
    return [
      {
        id: 'edit',
        text: t('ord.editPiece'),
        icon: 'pencil',
        disabled: edit ?? pending,
        run: () => start('edit', [single]),
      },
      {
        id: 'move',
        text: t('ord.movePieceAct'),
        icon: 'arrow-left-right',
        disabled: edit ?? notOpen,
        run: () => start('move', [single]),
      },
      ...acts,
      {
        id: 'history',
        text: t('history.title'),
        icon: 'history',
        disabled: history,
        run: () => start('history', [single]),
      },
      ...(single.isBound
        ? [
            {
              id: 'unbind',
              text: t('ord.unbind'),
              icon: 'unlink' as const,
              disabled: free,
              run: () => unbind(single),
            },
          ]
        : []),
      'line',
      {
        id: 'delete',
        text: t('ord.deletePieceAct'),
        icon: 'trash-2',
        disabled: remove,
        run: () => start('delete', [single]),
      },
    ]
  }
}
