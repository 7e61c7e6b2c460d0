// The pages of authorities.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { AuthoritySearch } from '../authorities/search'
import type { ChangesSearch } from '../pages/authorities-changes/page'
import { browsed, oneOf, text } from './search'
import { shell } from './shell'

const authorities = createRoute({
  getParentRoute: () => shell,
  path: '/authorities',
  // The page reads it with care: what that takes is not for the first route.
  validateSearch: (search: Record<string, unknown>) => search as AuthoritySearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, cause }) =>
    (await import('../pages/authorities/page')).loader({ ...deps }, cause === 'enter'),
  component: lazyRouteComponent(() => import('../pages/authorities/page'), 'AuthoritiesPage'),
})

const browse = createRoute({
  getParentRoute: () => shell,
  path: '/authorities/browse',
  validateSearch: browsed,
  loader: async () => (await import('../pages/authorities-browse/page')).loader(),
  component: lazyRouteComponent(
    () => import('../pages/authorities-browse/page'),
    'AuthoritiesBrowsePage',
  ),
})

const changes = createRoute({
  getParentRoute: () => shell,
  path: '/authorities/changes',
  validateSearch: (search: Record<string, unknown>): ChangesSearch => ({
    of: oneOf(search.of, ['numbers', 'deleted', 'failed']),
    from: text(search.from),
    to: text(search.to),
  }),
  loaderDeps: ({ search }) => search,
  loader: async (context) => (await import('../pages/authorities-changes/page')).loader(context),
  component: lazyRouteComponent(
    () => import('../pages/authorities-changes/page'),
    'AuthorityChangesPage',
  ),
})

const authority = createRoute({
  getParentRoute: () => shell,
  path: '/authorities/$authorityId',
  loader: async ({ params }) =>
    (await import('../pages/authority/page')).loader(params.authorityId),
  component: lazyRouteComponent(() => import('../pages/authority/page'), 'AuthorityPage'),
})

const edit = createRoute({
  getParentRoute: () => shell,
  path: '/authorities/$authorityId/edit',
  loader: async ({ params }) =>
    (await import('../pages/marc-editor/authority')).loader(params.authorityId),
  component: lazyRouteComponent(
    () => import('../pages/marc-editor/authority'),
    'AuthorityEditorPage',
  ),
})

export const authorityRoutes = [authorities, browse, changes, authority, edit]
