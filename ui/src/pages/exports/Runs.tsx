// The runs of a batch group's exports.
import { useMemo } from 'react'
import { changed } from '#/acquisitions/queries'
import { Refused } from '#/acquisitions/Refused'
import { StateOf } from '#/acquisitions/StateOf'
import { usePeriod } from '#/acquisitions/usePeriod'
import { post, remove } from '#/api/client'
import { announce } from '#/app/live'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { RowActs } from '#/ui/RowActs'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { EXPORTS, type Format, save, type VoucherExport } from './exports'

interface Props {
  runs: readonly VoucherExport[]
  total: number
  group: string
  /** Something was begun whose outcome comes later. */
  onBegun: () => void
}

export function Runs({ runs, total, group, onBegun }: Props) {
  const t = useText()
  const { dayTime, number } = useFormats()
  const read = useNeeds('batch-voucher.batch-vouchers.item.get')
  const upload = useNeeds('batch-voucher.batch-voucher-exports.upload.item.post')
  const drop = useNeeds('batch-voucher.batch-voucher-exports.item.delete')
  const act = useAct()
  const range = usePeriod()
  const period = (one: VoucherExport) => range(one.start, one.end)
  const take = (one: VoucherExport, format: Format) => void act.run(() => save(one, group, format))
  const again = (one: VoucherExport) =>
    void act.run(async () => {
      await post(`${EXPORTS}/${one.id}/upload`, {})
      announce(t('fin.exportBegun'))
      onBegun()
      await changed()
    })
  const takeOut = (one: VoucherExport) =>
    void act.run(async () => {
      await remove(`${EXPORTS}/${one.id}`)
      await changed()
    })
  const columns = useMemo(
    (): Column<VoucherExport>[] => [
      {
        id: 'period',
        title: t('acq.period'),
        kind: 'main',
        cell: (one) => range(one.start, one.end),
      },
      {
        id: 'status',
        title: t('acq.status'),
        width: 8,
        cell: ({ status }) => <StateOf value={status} />,
      },
      {
        id: 'message',
        title: t('fin.message'),
        width: 20,
        soft: true,
        cell: ({ message }) => <bdi>{message}</bdi>,
      },
      {
        id: 'made',
        title: t('fin.begun'),
        width: 11,
        wide: true,
        cell: ({ metadata }) => (metadata?.createdDate ? dayTime(metadata.createdDate) : null),
      },
    ],
    [t, range, dayTime],
  )
  const menu: Column<VoucherExport> = {
    id: 'menu',
    title: t('acq.more'),
    kind: 'menu',
    width: 3,
    cell: (one) => {
      const none = one.batchVoucherId ? undefined : t('fin.nothingMade')
      return (
        <RowActs
          name={period(one)}
          acts={[
            {
              id: 'json',
              text: t('fin.saveAs', { format: 'JSON' }),
              icon: 'download',
              disabled: read.reason ?? none,
              run: () => take(one, 'json'),
            },
            {
              id: 'xml',
              text: t('fin.saveAs', { format: 'XML' }),
              icon: 'download',
              disabled: read.reason ?? none,
              run: () => take(one, 'xml'),
            },
            {
              id: 'upload',
              text: t('fin.uploadAgain'),
              icon: 'upload',
              disabled: upload.reason ?? none,
              run: () => again(one),
            },
            'line',
            {
              id: 'delete',
              text: t('fin.delete'),
              icon: 'trash-2',
              disabled: drop.reason,
              run: () => takeOut(one),
            },
          ]}
        />
      )
    },
  }
  return (
    <Section title={t('fin.list.exports')} count={number(total)}>
      <Refused failure={act.failure} />
      {runs.length ? (
        <Table
          label={t('fin.list.exports')}
          columns={[...columns, menu]}
          rows={rowsOf(runs)}
          keyOf={(one) => one.id}
          nameOf={period}
          onOpen={(one) => {
            if (one.batchVoucherId && read.allowed) take(one, 'json')
          }}
        />
      ) : (
        <p className="sm muted">{t('fin.noExports')}</p>
      )}
    </Section>
  )
}
