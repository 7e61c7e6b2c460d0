// Settings, import and export, preferences.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shell } from './shell'

const rules = createRoute({
  getParentRoute: () => shell,
  path: '/settings/rules',
  loader: async () => (await import('../pages/rules/page')).loader(),
  component: lazyRouteComponent(() => import('../pages/rules/page'), 'RulesPage'),
})

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  validateSearch: (search: Record<string, unknown>): { of?: string; id?: string } => ({
    of: typeof search.of === 'string' ? search.of : undefined,
    id: typeof search.id === 'string' ? search.id : undefined,
  }),
  loaderDeps: ({ search: { of } }) => ({ of }),
  loader: async ({ deps }) => (await import('../pages/settings/page')).loader(deps.of),
  component: lazyRouteComponent(() => import('../pages/settings/page'), 'SettingsPage'),
})

const data = createRoute({
  getParentRoute: () => shell,
  path: '/data',
  validateSearch: (search: Record<string, unknown>): { tab?: string } => ({
    tab: search.tab === 'export' ? 'export' : undefined,
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await import('../pages/data/page')).loader(deps.tab),
  component: lazyRouteComponent(() => import('../pages/data/page'), 'DataPage'),
})

const importJob = createRoute({
  getParentRoute: () => shell,
  path: '/data/job/$jobId',
  validateSearch: (
    search: Record<string, unknown>,
  ): { all?: boolean; at?: number; record?: string } => ({
    all: search.all === true ? true : undefined,
    at: Number(search.at) > 1 ? Math.floor(Number(search.at)) : undefined,
    record: typeof search.record === 'string' ? search.record : undefined,
  }),
  loader: async ({ params }) => (await import('../pages/import-job/page')).loader(params.jobId),
  component: lazyRouteComponent(() => import('../pages/import-job/page'), 'ImportJobPage'),
})

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

const workbench = createRoute({
  getParentRoute: () => shell,
  path: '/workbench',
  validateSearch: (
    search: Record<string, unknown>,
  ): {
    tab?: string
    kind?: string
    path?: string
    trace?: string
    workload?: string
    load?: string
    of?: string
    shown?: string
  } => ({
    tab: text(search.tab),
    kind: text(search.kind),
    path: text(search.path),
    trace: text(search.trace),
    workload: text(search.workload),
    load: text(search.load),
    of: text(search.of),
    shown: text(search.shown),
  }),
  loader: async () => (await import('../pages/workbench/page')).loader(),
  component: lazyRouteComponent(() => import('../pages/workbench/page'), 'WorkbenchPage'),
})

const report = createRoute({
  getParentRoute: () => shell,
  path: '/workbench/report/$runId',
  validateSearch: (
    search: Record<string, unknown>,
  ): { with?: string; folio?: string; of?: number } => ({
    with: text(search.with),
    folio: text(search.folio),
    of: Number(search.of) > 0 ? Math.floor(Number(search.of)) : undefined,
  }),
  loaderDeps: ({ search }) => ({ other: search.with }),
  loader: async ({ params, deps }) =>
    (await import('../pages/workbench-report/page')).loader(params.runId, deps.other),
  component: lazyRouteComponent(() => import('../pages/workbench-report/page'), 'ReportPage'),
})

const more = createRoute({
  getParentRoute: () => shell,
  path: '/more',
  component: lazyRouteComponent(() => import('../pages/more/page'), 'MorePage'),
})

const preferences = createRoute({
  getParentRoute: () => shell,
  path: '/preferences',
  loader: async () => (await import('../pages/preferences/page')).loader(),
  component: lazyRouteComponent(() => import('../pages/preferences/page'), 'PreferencesPage'),
})

export const systemRoutes = [rules, settings, data, importJob, workbench, report, more, preferences]
