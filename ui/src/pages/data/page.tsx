// Import and export: drop a file or name records, choose a profile, and see the jobs.
import { useSearch } from '@tanstack/react-router'
import { queryClient } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { exportsQuery } from '#/transfer/exports'
import { jobsQuery } from '#/transfer/jobs'
import { exportProfilesQuery, importProfilesQuery } from '#/transfer/profiles'
import { Head, page } from '#/ui/Page'
import { Tabs } from '#/ui/Tabs'
import styles from './data.module.css'
import { ExportForm } from './ExportForm'
import { ExportList } from './ExportList'
import { ImportForm } from './ImportForm'
import { ImportList } from './ImportList'

export const loader = async (tab: string | undefined) => {
  await Promise.all([
    loadTexts('data', 'lists'),
    ...(tab === 'export'
      ? [
          queryClient.ensureQueryData(exportProfilesQuery),
          queryClient.ensureQueryData(exportsQuery(1)),
        ]
      : [
          queryClient.ensureQueryData(importProfilesQuery),
          queryClient.ensureQueryData(jobsQuery(1)),
        ]),
  ])
}

export function DataPage() {
  const t = useText()
  const { tab } = useSearch({ from: '/shell/data' })
  const isExport = tab === 'export'
  return (
    <>
      <Head title={t('shell.data')} />
      <Tabs
        label={t('shell.data')}
        current={isExport ? 'export' : 'import'}
        tabs={[
          { id: 'import', title: t('data.import') },
          { id: 'export', title: t('data.export') },
        ]}
        linkOf={(id) => ({ to: '/data', search: { tab: id === 'export' ? id : undefined } })}
      />
      <div className={page.pane}>
        <div className={`${page.body} ${styles.body}`}>
          {isExport ? (
            <>
              <ExportForm />
              <ExportList />
            </>
          ) : (
            <>
              <ImportForm />
              <ImportList />
            </>
          )}
        </div>
      </div>
    </>
  )
}
