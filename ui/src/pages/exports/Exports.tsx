// Exports of a batch group's vouchers: begun for a period, downloaded, uploaded again; and how they are uploaded.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import look from '#/acquisitions/acquisitions.module.css'
import { RecordCard } from '#/acquisitions/form/RecordCard'
import type { ListSearch } from '#/acquisitions/list/search'
import { batchGroupsQuery } from '#/acquisitions/queries'
import { post } from '#/api/client'
import { queryClient, useLoaded } from '#/api/query'
import { announce } from '#/app/live'
import { useText } from '#/i18n/text'
import type { Spec } from '#/inventory/form/specs'
import { useCommands } from '#/keys/useCommands'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Failed } from '#/ui/Failed'
import { Head, page } from '#/ui/Page'
import { Select } from '#/ui/Select'
import { InvoiceTabs } from '../invoices/InvoiceTabs'
import { Configuration } from './Configuration'
import { EXPORTS, exportsQuery, type VoucherExport, WATCH_MS } from './exports'
import { Runs } from './Runs'

export const loader = () => queryClient.ensureQueryData(batchGroupsQuery)

const monthStart = (now = new Date()) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString()

export function Exports() {
  const t = useText()
  const navigate = useNavigate()
  const { of } = useSearch({ strict: false }) as ListSearch
  const groups = useLoaded(batchGroupsQuery)
  const group = groups.find((one) => one.id === of?.[0]) ?? groups[0]
  const [until, setUntil] = useState(0)
  const watch = () => setUntil(Date.now() + WATCH_MS)
  const { data, error, refetch } = useQuery({
    ...exportsQuery(group?.id ?? '', until),
    enabled: Boolean(group),
  })
  const may = useNeeds('batch-voucher.batch-voucher-exports.item.post')
  const reason = may.reason ?? (group ? undefined : t('fin.noBatchGroups'))
  const [beginning, setBeginning] = useState(false)
  const begin = () => setBeginning(true)
  useCommands([
    {
      id: 'fin.newExport',
      title: 'fin.newExport',
      group: 'page',
      keys: 'Alt+N',
      disabled: reason,
      run: begin,
    },
  ])
  const fields: Spec[] = [
    { name: 'start', label: t('fin.dateFrom'), kind: 'day', needed: true },
    { name: 'end', label: t('fin.dateTo'), kind: 'day', needed: true },
  ]
  return (
    <>
      <Head title={t('shell.invoices')}>
        <Button kind="primary" icon="plus" keys="Alt+N" disabled={reason} onPress={begin}>
          {t('fin.newExport')}
        </Button>
      </Head>
      <InvoiceTabs current="exports" />
      <div className={page.pane}>
        <div className={`${page.body} ${page.first} stack far`}>
          <div className={look.scan}>
            <Select
              label={t('acq.batchGroup')}
              value={group?.id}
              choices={groups.map((one) => ({ value: one.id, text: one.name }))}
              onChange={(next) =>
                void navigate({
                  to: '/invoices',
                  search: { view: 'exports', of: [next] },
                  replace: true,
                })
              }
            />
          </div>
          {beginning && group ? (
            <RecordCard<Partial<VoucherExport>>
              title={t('fin.newExport')}
              text={t('fin.newExportWhat', { name: group.name })}
              act={t('fin.export')}
              record={{ start: monthStart(), end: new Date().toISOString() }}
              fields={fields}
              save={async ({ start, end }) => {
                await post(EXPORTS, {
                  batchGroupId: group.id,
                  start,
                  // The last day counts to its end.
                  end: String(end).replace('T00:00:00.000', 'T23:59:59.999'),
                })
                announce(t('fin.exportBegun'))
                watch()
              }}
              onClose={() => setBeginning(false)}
            />
          ) : null}
          {error ? <Failed error={error} retry={() => void refetch()} /> : null}
          {data && group ? (
            <Runs runs={data.rows} total={data.total} group={group.name} onBegun={watch} />
          ) : null}
          {group ? <Configuration key={group.id} groupId={group.id} /> : null}
        </div>
      </div>
    </>
  )
}
