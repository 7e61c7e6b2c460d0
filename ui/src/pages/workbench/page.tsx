// The workbench: what the server does, what makes it slow, and the reports of measurements.
import { useSearch } from '@tanstack/react-router'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { Head, page } from '#/ui/Page'
import { Tabs } from '#/ui/Tabs'
import { AuditTab } from './AuditTab'
import { IndexesTab } from './IndexesTab'
import { JobsTab } from './JobsTab'
import { Overview } from './Overview'
import { ProfileTab } from './ProfileTab'
import { ReportsTab } from './ReportsTab'
import { TimersTab } from './TimersTab'
import { TraceTab } from './TraceTab'
import { TrendsTab } from './TrendsTab'
import { TABS, type Tab } from './tabs'
import styles from './workbench.module.css'

export const loader = () => loadTexts('workbench', 'lists', 'data', 'forms')

const PARTS: Record<Tab, () => React.ReactNode> = {
  overview: Overview,
  reports: ReportsTab,
  trends: TrendsTab,
  indexes: IndexesTab,
  trace: TraceTab,
  profile: ProfileTab,
  jobs: JobsTab,
  timers: TimersTab,
  audit: AuditTab,
}

export function WorkbenchPage() {
  const t = useText()
  const { tab = 'overview' } = useSearch({ from: '/shell/workbench' })
  const Part = PARTS[tab as Tab] ?? Overview
  return (
    <>
      <Head title={t('shell.workbench')} />
      <Tabs
        label={t('shell.workbench')}
        current={tab}
        tabs={TABS.map((id) => ({ id, title: t(`bench.tab.${id}`) }))}
        linkOf={(id) => ({ to: '/workbench', search: { tab: id === 'overview' ? undefined : id } })}
      />
      {tab === 'overview' ? (
        <Part />
      ) : (
        <div className={page.pane}>
          <div className={`${page.body} ${styles.body}`}>
            <Part />
          </div>
        </div>
      )}
    </>
  )
}
