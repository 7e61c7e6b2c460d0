// The columns of a line's pieces.
import { StateOf } from '#/acquisitions/StateOf'
import type { Piece, Title } from '#/acquisitions/types'
import { useHoldingPlaces } from '#/acquisitions/useHoldingPlaces'
import { useWord } from '#/acquisitions/words'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Code } from '#/ui/Code'
import type { Act } from '#/ui/Menu'
import { RowActs } from '#/ui/RowActs'
import type { Column } from '#/ui/Table'

export function usePieceColumns(
  pieces: readonly Piece[],
  titles: readonly Title[],
  actsOf: (piece: Piece) => readonly (Act | 'line')[],
): Column<Piece>[] {
  const t = useText()
  const word = useWord()
  const { day } = useFormats()
  const placeOf = useHoldingPlaces(pieces)
  return [
    {
      id: 'summary',
      title: t('acq.piece'),
      kind: 'main',
      cell: (one) => (
        <bdi>
          {[one.displaySummary, one.enumeration, one.chronology, one.copyNumber]
            .filter(Boolean)
            .join(' · ') || word(one.format)}
          {one.isBound ? <span className="xs muted"> {t('ord.isBound')}</span> : null}
        </bdi>
      ),
    },
    ...(titles.length > 1
      ? [
          {
            id: 'title',
            title: t('acq.title'),
            width: 12,
            soft: true,
            cell: (one: Piece) => <bdi>{titles.find(({ id }) => id === one.titleId)?.title}</bdi>,
          },
        ]
      : []),
    {
      id: 'status',
      title: t('acq.status'),
      width: 9,
      cell: (one) => <StateOf value={one.receivingStatus} />,
    },
    {
      id: 'barcode',
      title: t('acq.barcode'),
      width: 10,
      cell: (one) => (one.barcode ? <Code>{one.barcode}</Code> : null),
    },
    {
      id: 'place',
      title: t('acq.location'),
      width: 12,
      soft: true,
      wide: true,
      cell: (one) => <bdi>{placeOf(one)}</bdi>,
    },
    {
      id: 'date',
      title: t('acq.date'),
      width: 9,
      cell: ({ receivedDate, receiptDate }) => {
        const date = receivedDate ?? receiptDate
        return date ? day(date) : null
      },
    },
    {
      id: 'menu',
      title: t('acq.more'),
      kind: 'menu',
      width: 3,
      cell: (one) => (
        <RowActs name={one.displaySummary ?? one.barcode ?? t('acq.piece')} acts={actsOf(one)} />
      ),
    },
  ]
}
