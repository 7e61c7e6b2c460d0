// The records of a job; the open one with what was read and what was made of it.
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { keyOf, type LogLine } from '#/transfer/jobs'
import { lineState, reasonOf } from '#/transfer/words'
import { Outcome } from '#/ui/Badge'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { OpenRecord } from './OpenRecord'

interface Props {
  lines: readonly LogLine[]
  open: string | undefined
  onOpen: (id: string | undefined) => void
}

export function LineTable({ lines, open, onOpen }: Props) {
  const t = useText()
  const formats = useFormats()
  const titleOf = (line: LogLine) => line.sourceRecordTitle || t('data.noTitle')
  const shown = lines.find((line) => keyOf(line) === open)
  const columns: Column<LogLine>[] = [
    {
      id: 'number',
      title: t('data.number'),
      // The lines of invoices have numbers such as 5001-1.
      width: lines.some(({ invoiceLineJournalRecordId: id }) => id) ? 9 : 5,
      kind: 'num',
      cell: ({ sourceRecordOrder: order }) =>
        /^\d+$/.test(order) ? formats.number(Number(order) + 1) : <bdi>{order}</bdi>,
    },
    {
      id: 'title',
      title: t('data.title'),
      kind: 'main',
      cell: (line) => <bdi>{titleOf(line)}</bdi>,
    },
    {
      id: 'result',
      title: t('data.result'),
      width: 9,
      cell: (line) => {
        const { kind, icon, word } = lineState(line, t)
        return (
          <Outcome kind={kind} icon={icon}>
            {word}
          </Outcome>
        )
      },
    },
    {
      id: 'why',
      title: t('data.why'),
      width: 24,
      soft: true,
      cell: (line) => <bdi title={reasonOf(line)}>{reasonOf(line)}</bdi>,
    },
  ]
  return (
    <>
      {shown ? (
        <OpenRecord line={shown} title={titleOf(shown)} onClose={() => onOpen(undefined)} />
      ) : null}
      <Table
        label={t('data.records')}
        columns={columns}
        rows={rowsOf(lines)}
        keyOf={keyOf}
        nameOf={titleOf}
        open={open}
        onOpen={(line) => onOpen(keyOf(line))}
      />
    </>
  )
}
