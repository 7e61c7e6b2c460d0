// The inventory's pages.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { InventorySearch } from '../inventory/search'
import { browsed, text } from './search'
import { shell } from './shell'

const inventory = createRoute({
  getParentRoute: () => shell,
  path: '/inventory',
  // The page reads it with care: what that takes is not for the first route.
  validateSearch: (search: Record<string, unknown>) => search as InventorySearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, cause }) =>
    (await import('../pages/inventory/page')).loader({ ...deps }, cause === 'enter'),
  component: lazyRouteComponent(() => import('../pages/inventory/page'), 'InventoryPage'),
})

const instance = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId',
  validateSearch: (search: Record<string, unknown>): { tab?: string } => ({
    tab: typeof search.tab === 'string' ? search.tab : undefined,
  }),
  loader: async ({ params }) => (await import('../pages/instance/page')).loader(params.instanceId),
  component: lazyRouteComponent(() => import('../pages/instance/page'), 'InstancePage'),
})

const browse = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/browse',
  validateSearch: browsed,
  loader: async () => (await import('../pages/browse/page')).loader(),
  component: lazyRouteComponent(() => import('../pages/browse/page'), 'BrowsePage'),
})

const instanceForm = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/new',
  validateSearch: (search: Record<string, unknown>): { like?: string } => ({
    like: text(search.like),
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) =>
    (await import('../pages/instance-form/page')).loader(undefined, deps.like),
  component: lazyRouteComponent(() => import('../pages/instance-form/page'), 'InstanceFormPage'),
})

/** What a new record is made from, and where it belongs. */
interface Origin {
  like?: string
  holdings?: string
}
const origin = (search: Record<string, unknown>): Origin => ({
  like: text(search.like),
  holdings: text(search.holdings),
})

const instanceEdit = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/edit',
  loader: async ({ params }) =>
    (await import('../pages/instance-form/page')).loader(params.instanceId),
  component: lazyRouteComponent(() => import('../pages/instance-form/page'), 'InstanceEditPage'),
})

const marc = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/marc',
  loader: async ({ params }) => (await import('../pages/marc/page')).loader(params.instanceId),
  component: lazyRouteComponent(() => import('../pages/marc/page'), 'MarcPage'),
})

const marcEdit = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/marc/edit',
  loader: async ({ params }) =>
    (await import('../pages/marc-editor/page')).loader(params.instanceId),
  component: lazyRouteComponent(() => import('../pages/marc-editor/page'), 'MarcEditorPage'),
})

const holdings = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/holdings/$holdingsId',
  loader: async ({ params }) => (await import('../pages/holdings/page')).loader(params),
  component: lazyRouteComponent(() => import('../pages/holdings/page'), 'HoldingsPage'),
})

const holdingsNew = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/holdings/new',
  validateSearch: origin,
  loaderDeps: ({ search }) => search,
  loader: async ({ params, deps }) =>
    (await import('../pages/holdings-form/page')).loader({ ...params, ...deps }),
  component: lazyRouteComponent(() => import('../pages/holdings-form/page'), 'HoldingsNewPage'),
})

const holdingsEdit = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/holdings/$holdingsId/edit',
  loader: async ({ params }) => (await import('../pages/holdings-form/page')).loader(params),
  component: lazyRouteComponent(() => import('../pages/holdings-form/page'), 'HoldingsEditPage'),
})

const holdingsMarc = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/holdings/$holdingsId/marc',
  loader: async ({ params }) => (await import('../pages/marc/holdings')).loader(params),
  component: lazyRouteComponent(() => import('../pages/marc/holdings'), 'HoldingsMarcPage'),
})

const holdingsMarcEdit = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/holdings/$holdingsId/marc/edit',
  loader: async ({ params }) => (await import('../pages/marc-editor/holdings')).loader(params),
  component: lazyRouteComponent(
    () => import('../pages/marc-editor/holdings'),
    'HoldingsMarcEditorPage',
  ),
})

const item = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/items/$itemId',
  loader: async ({ params }) => (await import('../pages/item/page')).loader(params),
  component: lazyRouteComponent(() => import('../pages/item/page'), 'ItemPage'),
})

const itemNew = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/items/new',
  validateSearch: origin,
  loaderDeps: ({ search }) => search,
  loader: async ({ params, deps }) =>
    (await import('../pages/item-form/page')).loader({ ...params, ...deps }),
  component: lazyRouteComponent(() => import('../pages/item-form/page'), 'ItemNewPage'),
})

const itemEdit = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/items/$itemId/edit',
  loader: async ({ params }) => (await import('../pages/item-form/page')).loader(params),
  component: lazyRouteComponent(() => import('../pages/item-form/page'), 'ItemEditPage'),
})

export const inventoryRoutes = [
  inventory,
  browse,
  instanceForm,
  instance,
  instanceEdit,
  marc,
  marcEdit,
  holdings,
  holdingsNew,
  holdingsEdit,
  holdingsMarc,
  holdingsMarcEdit,
  item,
  itemNew,
  itemEdit,
]
